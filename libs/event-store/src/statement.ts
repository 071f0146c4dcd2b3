import { createHash } from 'node:crypto';
import type { QueryConfig } from 'pg';

/** SQL with its parameters. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

const NAMED_STATEMENTS = 500;
const names = new Map<string, string>();

/**
 * The statement with a name, so that a connection parses and plans its text once. The number of names is limited: callers
 * shape their own queries, and a connection keeps prepared statements for ever.
 */
export function prepared(statement: Statement): QueryConfig {
  const { text } = statement;
  const values = statement.values as unknown[];
  const known = names.get(text);
  if (known !== undefined) return { name: known, text, values };
  if (names.size >= NAMED_STATEMENTS) return { text, values };
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 20);
  names.set(text, name);
  return { name, text, values };
}
