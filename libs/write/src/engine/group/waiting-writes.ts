import type { Batching } from './attempt.js';
import type { Grouped } from './member.js';

/** A write in the line of its practice. */
export interface Entry {
  /** Milliseconds of `performance.now()`. */
  readonly arrivedAt: number;
  /** The span that it belongs to. */
  readonly traceparent: string | undefined;
  readonly member: Grouped<unknown>;
  batching: Batching;
  readonly resolve: (value: unknown) => void;
  readonly refuse: (error: unknown) => void;
}

/** A shared group may have several practices and never waits for a lock. An exclusive group has one practice, or one write. */
export type GroupKind = 'shared' | 'exclusive';

/** The number of records that a group writes at most, so that its transaction is short. */
const GROUP_SIZE = 64;

interface Line {
  entries: Entry[];
  /** Whether one of its entries is in flight. */
  isBusy: boolean;
  /** Whether another transaction had its lock, so that its writes wait for the lock in exclusive groups. */
  isContended: boolean;
}

/** The writes that wait, in a line for each practice. */
export class WaitingWrites {
  /** In the order of their turns. */
  private readonly lines = new Map<string, Line>();

  /** The number of waiting writes. */
  get size(): number {
    return [...this.lines.values()].reduce((sum, { entries }) => sum + entries.length, 0);
  }

  add(entry: Entry): void {
    const line = this.lines.get(entry.member.therapistId) ?? {
      entries: [],
      isBusy: false,
      isContended: false,
    };
    line.entries.push(entry);
    this.lines.set(entry.member.therapistId, line);
  }

  /** The next group of a kind; empty if no write waits for one. Its practices are busy until they are released. */
  take(kind: GroupKind): Entry[] {
    const ready = [...this.lines.values()].filter(
      (line) => !line.isBusy && line.entries.length > 0 && kindOf(line) === kind,
    );
    return kind === 'shared' ? takeFrom(ready) : takeFrom(ready.slice(0, 1));
  }

  /**
   * Ends the turn of the practices of a group.
   * @param again entries that must be carried out again, before entries that came later
   * @param contended practices that other transactions had locked
   */
  release(entries: readonly Entry[], again: readonly Entry[], contended: ReadonlySet<string>): void {
    for (const therapistId of new Set(entries.map(({ member }) => member.therapistId))) {
      const line = this.lines.get(therapistId);
      if (line === undefined) continue;
      this.lines.delete(therapistId);
      line.entries.unshift(...again.filter(({ member }) => member.therapistId === therapistId));
      line.isBusy = false;
      line.isContended ||= contended.has(therapistId);
      if (line.entries.length > 0) this.lines.set(therapistId, line);
    }
  }
}

const kindOf = ({ isContended, entries: [first] }: Line): GroupKind =>
  isContended || first?.batching === 'none' ? 'exclusive' : 'shared';

/** Takes one entry of each line in turn, until no more fit. So a practice with many writes leaves room for other practices. */
function takeFrom(lines: readonly Line[]): Entry[] {
  const taken = new Map<Line, number>();
  let size = 0;
  for (let round = 0, isFull = false; !isFull; round += 1) {
    isFull = true;
    for (const line of lines) {
      const entry = line.entries[round];
      if ((taken.get(line) ?? 0) < round || entry === undefined || !mayJoin(entry, line, round)) continue;
      if (size > 0 && size + entry.member.size > GROUP_SIZE) continue;
      size += entry.member.size;
      taken.set(line, round + 1);
      isFull = false;
    }
  }
  return [...taken].flatMap(([line, count]) => {
    line.isBusy = true;
    return line.entries.splice(0, count);
  });
}

/** Whether an entry may be in a group with the entries before it in its line. A group writes to a practice in one role. */
const mayJoin = (entry: Entry, { entries: [first] }: Line, index: number): boolean =>
  index === 0 ||
  (entry.batching === 'any' && first?.batching === 'any' && entry.member.writer === first.member.writer);
