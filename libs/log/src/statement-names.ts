// The names of prepared statements, so that a connection parses and plans a text once. A backend keeps each of them in memory
// until it is closed, so statements whose text depends on a caller's request are closed again, the least recently used first.

import { createHash } from 'node:crypto';
import { oncePer } from '@practice/core';
import { LRUCache } from 'lru-cache';
import type { Statement } from './statement.js';

/** The part of pg's connection that is used here. */
export interface PreparingConnection {
  readonly parsedStatements: Record<string, string | undefined>;
  close(what: { readonly type: 'S'; readonly name: string }): void;
}

/** Measured on Postgres 15 and 18: the parsed tree and the plan of a statement are many times larger than its text. */
const BYTES_PER_STATEMENT = 24 * 1024;
const BYTES_PER_CHARACTER = 128;
/** The limit for the statements of callers on one connection. */
const MAX_BYTES = 8 * 1024 * 1024;
/** A larger statement is parsed and planned each time, and so is a statement of our own once all names are used. */
const MAX_STATEMENT_BYTES = MAX_BYTES / 8;
const OWN_NAMES = 500;

/** Names of our own statements, the same on every connection. */
const ownNames = new Map<string, string>();

export class StatementNames {
  private readonly shaped: LRUCache<string, string>;
  private count = 0;

  constructor(private readonly connection: PreparingConnection) {
    this.shaped = new LRUCache({
      maxSize: MAX_BYTES,
      maxEntrySize: MAX_STATEMENT_BYTES,
      sizeCalculation: (_name, text) => BYTES_PER_STATEMENT + BYTES_PER_CHARACTER * text.length,
      dispose: (name) => this.close(name),
    });
  }

  /** The name under which a statement is sent now; undefined for one that is not kept. */
  take({ text, isShaped = false }: Statement): string | undefined {
    if (!isShaped) return ownName(text);
    const known = this.shaped.get(text);
    if (known !== undefined) return known;
    // A name is never used again: a statement that was closed may still be on its way to Postgres.
    this.count += 1;
    this.shaped.set(text, `c${this.count}`);
    return this.shaped.get(text);
  }

  /** The name of a statement that Postgres has parsed; undefined for any other. */
  parsed({ text, isShaped = false }: Statement): string | undefined {
    const name = isShaped ? this.shaped.get(text) : ownNames.get(text);
    return name === undefined || this.connection.parsedStatements[name] === undefined ? undefined : name;
  }

  /** Closes a statement. Postgres handles messages in order, so it has run all earlier uses of the statement by then. */
  private close(name: string): void {
    this.connection.close({ type: 'S', name });
    delete this.connection.parsedStatements[name];
  }
}

function ownName(text: string): string | undefined {
  const known = ownNames.get(text);
  if (known !== undefined || ownNames.size >= OWN_NAMES) return known;
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 20);
  ownNames.set(text, name);
  return name;
}

export const namesOn = oncePer(
  new WeakMap<PreparingConnection, StatementNames>(),
  (connection) => new StatementNames(connection),
);
