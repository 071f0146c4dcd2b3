// A query whose rows are Postgres' own text. Nothing is converted, so the columns are not described, and pg's settings are not
// copied. It extends pg's own class because pipeline mode accepts no other.

import { Query, type ClientBase } from 'pg';
import { namesOn, type PreparingConnection } from './statement-names.js';
import type { Statement } from './statement.js';
import { withoutStoredValues } from './stored-values.js';

/** A row as an array of Postgres' own text. The kinds of a resource read it; the driver does not. */
export type TextRow = (string | null)[];

type Done = (error: Error | null, answers: TextRow[][]) => void;

/** The part of pg's connection that is used here. */
interface Connection extends PreparingConnection {
  bind(what: object): void;
  describe(what: object): void;
  execute(what: object): void;
}

/** The part of pg's Query that its client calls, as of 8.23. */
interface PgQuery {
  name: string | undefined;
  callback: Done;
  submit(connection: Connection): Error | null;
  requiresPreparation(): boolean;
  prepare(connection: Connection): void;
  handleError(error: Error, connection: Connection): void;
}

const BaseQuery = Query as unknown as new (text: string, values: unknown[]) => PgQuery;

/** Statements that are sent to Postgres as one message: the last one and those before it. */
export class TextQuery extends BaseQuery {
  private readonly answers: TextRow[][] = [[]];

  /** @param before run before the last, in order; the connection must have run each of them before, with any values */
  constructor(
    private readonly last: Statement,
    done: Done,
    private readonly before: readonly Statement[] = [],
  ) {
    super(last.text, last.values as unknown[]);
    this.callback = done;
  }

  /** Called when the query is sent. */
  override submit(connection: Connection): Error | null {
    this.name = namesOn(connection).take(this.last);
    return super.submit(connection);
  }

  /** Without a name and values, pg uses the simple protocol, which accepts one statement at a time. */
  override requiresPreparation(): boolean {
    return this.before.length > 0 || super.requiresPreparation();
  }

  override prepare(connection: Connection): void {
    const quiet = quietly(connection);
    quiet.before = this.before;
    super.prepare(quiet);
  }

  /** A statement without values is sent unprepared, and Postgres describes it anyway. */
  handleRowDescription(): void {
    return;
  }

  handleDataRow({ fields }: { fields: TextRow }): void {
    this.answers.at(-1)?.push(fields);
  }

  handleCommandComplete(): void {
    if (this.answers.length <= this.before.length) this.answers.push([]);
  }

  override handleError(error: Error, connection: Connection): void {
    // Each statement that was completed has an answer, so the next one has failed.
    const failed = this.before[this.answers.length - 1] ?? this.last;
    super.handleError(withoutStoredValues(error, failed), connection);
  }

  handleReadyForQuery(): void {
    this.callback(null, this.answers);
  }
}

/** Whether a connection has parsed these statements, so that they can be sent before another. */
export function areParsed(client: ClientBase, statements: readonly Statement[]): boolean {
  const names = namesOn((client as unknown as { connection: Connection }).connection);
  return statements.every((statement) => names.parsed(statement) !== undefined);
}

function nameOf(connection: Connection, statement: Statement): string {
  const name = namesOn(connection).parsed(statement);
  if (name === undefined)
    throw new Error('a statement without a name was never parsed, so it cannot be sent before another');
  return name;
}

/** A connection that does not ask for the columns, and sends other statements before the one that is run. */
interface Quiet extends Connection {
  before: readonly Statement[];
}

const quiet = new WeakMap<Connection, Quiet>();

/**
 * There is no Sync between the statements: if one fails, the next ones do not run, and outside a transaction they are one
 * transaction (Postgres' message flow, Extended Query). Postgres answers at a Sync, so it answers once instead of once per
 * statement. The last statement is parsed first: without that, later statements of the same name would fail.
 */
function quietly(connection: Connection): Quiet {
  const known = quiet.get(connection);
  if (known !== undefined) return known;
  const made = Object.create(connection, {
    before: { value: [], writable: true },
    describe: { value: () => undefined },
    bind: {
      value: (last: { readonly valueMapper: unknown }): void => {
        const { valueMapper } = last;
        for (const one of made.before) {
          connection.bind({ statement: nameOf(connection, one), values: one.values, valueMapper });
          connection.execute({});
        }
        connection.bind(last);
      },
    },
  }) as Quiet;
  quiet.set(connection, made);
  return made;
}
