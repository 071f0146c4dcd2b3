import { cork, run, type Statement, type TextRow } from '@practice/log';
import type { PoolClient } from 'pg';

/** A statement that runs longer noticeably delays the statements behind it, so new statements go to other connections. */
const SLOW_MS = 10;
/** More than any number of waiting statements. */
const BEHIND_ALL_OTHERS = 1_000_000;

/** A connection in pipeline mode: Postgres runs its statements one after the other. */
export class PipelinedConnection {
  /** The number of statements without a result. */
  waiting = 0;
  private readonly waitingOf = new Map<string, number>();
  /** When the statement that runs now began, in milliseconds of `performance.now()`. */
  private began = 0;

  constructor(readonly client: PoolClient) {}

  /** Whether a practice has statements without a result on this connection. */
  isUsedBy(practice: string): boolean {
    return this.waitingOf.has(practice);
  }

  /** How long a statement that is sent now is likely to wait, without a unit; 0 if it does not wait. */
  delay(now: number): number {
    const isSlow = this.waiting > 0 && now - this.began > SLOW_MS;
    return isSlow ? BEHIND_ALL_OTHERS + this.waiting : this.waiting;
  }

  async run(practice: string, statement: Statement, setup: readonly Statement[]): Promise<TextRow[]> {
    if (this.waiting === 0) this.began = performance.now();
    this.waiting += 1;
    this.waitingOf.set(practice, (this.waitingOf.get(practice) ?? 0) + 1);
    cork(this.client);
    try {
      return await run(this.client, statement, setup);
    } finally {
      this.began = performance.now();
      this.waiting -= 1;
      const left = (this.waitingOf.get(practice) ?? 1) - 1;
      if (left === 0) this.waitingOf.delete(practice);
      else this.waitingOf.set(practice, left);
    }
  }
}

/**
 * The index of the connection for a practice's next statement; undefined places are connections that are not open yet.
 * A practice stays on the connections that it already uses, unless more than half are idle. So a practice with expensive or
 * many statements cannot occupy every connection. Other practices avoid connections with a slow statement.
 */
export function chooseConnection(
  connections: readonly (PipelinedConnection | undefined)[],
  practice: string,
  now: number,
): number {
  const own = leastBy(connections, (connection) =>
    connection?.isUsedBy(practice) === true ? connection.waiting : Infinity,
  );
  const mayTakeAnother =
    connections.filter((connection) => !connection?.waiting).length * 2 > connections.length;
  if (own !== undefined && !mayTakeAnother) return own;
  return leastBy(connections, (connection) => connection?.delay(now) ?? 0) ?? 0;
}

/** The index of the first item with the lowest cost; undefined if every cost is infinite. */
function leastBy<Item>(items: readonly Item[], costOf: (item: Item) => number): number | undefined {
  let best: number | undefined;
  let lowest = Infinity;
  for (const [index, item] of items.entries()) {
    const cost = costOf(item);
    if (cost < lowest) [best, lowest] = [index, cost];
  }
  return best;
}
