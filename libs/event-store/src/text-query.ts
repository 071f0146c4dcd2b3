// A query whose rows are Postgres' own text. pg's, with less asked and less made: no description of the columns, for what
// comes is not converted, and no copy of its settings. It is pg's own class beneath, since pipeline mode takes no other.

import { Query } from 'pg';
import type { ClientBase } from 'pg';
import { prepared } from './statement.js';
import type { Statement } from './statement.js';

/** Rows as arrays of Postgres' own text: the kinds of a resource know what the text means, the driver need not. */
export type TextRow = (string | null)[];

type Done = (error: Error | null, answers: TextRow[][]) => void;

/** What pg's connection sends and remembers; of all that it has, this alone is named here. */
interface Connection {
  readonly parsedStatements: Readonly<Record<string, string | undefined>>;
  bind(what: object): void;
  describe(what: object): void;
  execute(what: object): void;
}

/** The part of pg's class that is its interface with the client, as of 8.23. */
interface PgQuery {
  name: string | undefined;
  callback: Done;
  requiresPreparation(): boolean;
  prepare(connection: Connection): void;
}

const BaseQuery = Query as unknown as new (text: string, values: unknown[]) => PgQuery;

/** Statements that go to Postgres as one message: the last, and whatever is to be done before it. */
export class TextQuery extends BaseQuery {
  private readonly answers: TextRow[][] = [[]];

  /** @param before run before the last, one after the other; each was run on the connection before, whatever its values */
  constructor(
    last: Statement,
    done: Done,
    private readonly before: readonly Statement[] = [],
  ) {
    super(last.text, last.values as unknown[]);
    this.name = prepared(last).name;
    this.callback = done;
  }

  /** The simple protocol, which pg takes for what has neither name nor values, takes one statement at a time. */
  override requiresPreparation(): boolean {
    return this.before.length > 0 || super.requiresPreparation();
  }

  override prepare(connection: Connection): void {
    const quiet = quietly(connection);
    quiet.before = this.before;
    super.prepare(quiet);
  }

  /** A statement without values goes unprepared, and is described unasked. */
  handleRowDescription(): void {
    return;
  }

  handleDataRow({ fields }: { fields: TextRow }): void {
    this.answers.at(-1)?.push(fields);
  }

  handleCommandComplete(): void {
    if (this.answers.length <= this.before.length) this.answers.push([]);
  }

  handleReadyForQuery(): void {
    this.callback(null, this.answers);
  }
}

/** Whether a connection has parsed these, so that they can go before another. */
export function areKnown(client: ClientBase, statements: readonly Statement[]): boolean {
  const { parsedStatements } = (client as unknown as { connection: Connection }).connection;
  return statements.every((statement) => {
    const { name } = prepared(statement);
    return name !== undefined && parsedStatements[name] !== undefined;
  });
}

function nameOf(statement: Statement): string {
  const { name } = prepared(statement);
  if (name === undefined)
    throw new Error('a statement without a name cannot go before another, for it was never parsed');
  return name;
}

/** A connection on which nobody asks what the columns are, and other statements go before the one that is run. */
interface Quiet extends Connection {
  before: readonly Statement[];
}

const quiet = new WeakMap<Connection, Quiet>();

/**
 * There is no Sync between them: when one fails, those behind it are not run, and where no transaction was open they are one
 * (Postgres' message flow, Extended Query). Postgres sends what it has to say at a Sync, so it sends once instead of once for
 * each. The last is parsed before all that: were that left out, others of the same name would fail.
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
          connection.bind({ statement: nameOf(one), values: one.values, valueMapper });
          connection.execute({});
        }
        connection.bind(last);
      },
    },
  }) as Quiet;
  quiet.set(connection, made);
  return made;
}
