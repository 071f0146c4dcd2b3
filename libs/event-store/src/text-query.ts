// A query whose rows are Postgres' own text. pg's, with less asked and less made: no description of the columns, for what
// comes is not converted, and no copy of its settings. It is pg's own class beneath, since pipeline mode takes no other.

import { Query } from 'pg';
import { prepared } from './statement.js';
import type { Statement } from './statement.js';

/** Rows as arrays of Postgres' own text: the kinds of a resource know what the text means, the driver need not. */
export type TextRow = (string | null)[];

type Done = (error: Error | null, rows: TextRow[]) => void;

/** What pg's connection sends; of all that it has, this alone is named here. */
interface Connection {
  describe(what: object): void;
}

/** The part of pg's class that is its interface with the client, as of 8.23. */
interface PgQuery {
  name: string | undefined;
  callback: Done;
  prepare(connection: Connection): void;
}

const BaseQuery = Query as unknown as new (text: string, values: unknown[]) => PgQuery;

export class TextQuery extends BaseQuery {
  private readonly found: TextRow[] = [];

  constructor(statement: Statement, done: Done) {
    super(statement.text, statement.values as unknown[]);
    this.name = prepared(statement).name;
    this.callback = done;
  }

  override prepare(connection: Connection): void {
    super.prepare(undescribed(connection));
  }

  /** A statement without values goes unprepared, and is described unasked. */
  handleRowDescription(): void {
    return;
  }

  handleDataRow({ fields }: { fields: TextRow }): void {
    this.found.push(fields);
  }

  handleCommandComplete(): void {
    return;
  }

  handleReadyForQuery(): void {
    this.callback(null, this.found);
  }
}

const withoutDescription = new WeakMap<Connection, Connection>();

/** The same connection, on which nobody asks what the columns are. */
function undescribed(connection: Connection): Connection {
  const known = withoutDescription.get(connection);
  if (known !== undefined) return known;
  const quiet = Object.create(connection, { describe: { value: () => undefined } }) as Connection;
  withoutDescription.set(connection, quiet);
  return quiet;
}
