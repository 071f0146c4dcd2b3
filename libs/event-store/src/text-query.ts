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

export class TextQuery extends BaseQuery {
  private readonly found: TextRow[] = [];
  /** Statements of the prelude that have not been answered. */
  private ahead: number;

  /** @param prelude run before it in the same transaction; each was run on the connection before, whatever its values */
  constructor(
    statement: Statement,
    done: Done,
    private readonly prelude: readonly Statement[] = [],
  ) {
    super(statement.text, statement.values as unknown[]);
    this.name = prepared(statement).name;
    this.callback = done;
    this.ahead = prelude.length;
  }

  /** The simple protocol, which pg takes for what has neither name nor values, has no room for a prelude. */
  override requiresPreparation(): boolean {
    return this.prelude.length > 0 || super.requiresPreparation();
  }

  override prepare(connection: Connection): void {
    const quiet = quietly(connection);
    quiet.prelude = this.prelude;
    super.prepare(quiet);
  }

  /** A statement without values goes unprepared, and is described unasked. */
  handleRowDescription(): void {
    return;
  }

  handleDataRow({ fields }: { fields: TextRow }): void {
    if (this.ahead === 0) this.found.push(fields);
  }

  handleCommandComplete(): void {
    if (this.ahead > 0) this.ahead -= 1;
  }

  handleReadyForQuery(): void {
    this.callback(null, this.found);
  }
}

function nameOf(statement: Statement): string {
  const { name } = prepared(statement);
  if (name === undefined)
    throw new Error('a statement of a prelude has no name, so it cannot have been run before');
  return name;
}

/** A connection on which nobody asks what the columns are, and a prelude goes before what is run. */
interface Quiet extends Connection {
  prelude: readonly Statement[];
}

const quiet = new WeakMap<Connection, Quiet>();

/**
 * Without a Sync between them, prelude and statement are one transaction: when one fails, those behind it are not run (Postgres'
 * message flow, Extended Query). The statement is parsed before all that: were that left out, others of the same name would fail.
 */
function quietly(connection: Connection): Quiet {
  const known = quiet.get(connection);
  if (known !== undefined) return known;
  const made = Object.create(connection, {
    prelude: { value: [], writable: true },
    describe: { value: () => undefined },
    bind: {
      value: (statement: object): void => {
        for (const before of made.prelude) {
          connection.bind({ statement: nameOf(before), values: before.values });
          connection.execute({});
        }
        connection.bind(statement);
      },
    },
  }) as Quiet;
  quiet.set(connection, made);
  return made;
}
