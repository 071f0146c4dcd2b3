// A load on a system while its servers fail, and the comparison of everything with the journal of the callers.
import { setTimeout as pause } from 'node:timers/promises';
import type { Drilling } from '@practice/drills';
import type { Stack } from '@practice/start';
import { compare } from '../checks/compare.js';
import type { Finding } from '../checks/finding.js';
import { startLoad, type Load } from '../load/load.js';
import { watchPauses } from './pause.js';

/** Something that happens to servers under load. */
export interface Strike {
  readonly title: string;
  readonly strike: () => Promise<void>;
  /** The longest time, in milliseconds, for which a caller may have to repeat a request. */
  readonly answersWithin?: number;
}

const LOAD = { seed: 1, practices: 4, rest: 60 };
/** The load without a failure, before the first strike and after each. */
const CALM = 5_000;

/** Strikes one after the other under load, and checks that nothing was lost, doubled or left different. */
export async function underLoad(drilling: Drilling, stack: Stack, strikes: readonly Strike[]): Promise<void> {
  const { folder, note, check } = drilling;
  const load = await startLoad({ stack, wires: new Map() }, { ...LOAD, folder });
  try {
    const { journal, followed } = load;
    const writes = watchPauses(() => journal.counts().acknowledged);
    const events = watchPauses(() => followed[0]?.received.counts().effects ?? 0);
    const report = (title: string): number => {
      const longest = journal.longestRepeat();
      note(
        `${title}: ${writes.longest()} ms without a write, ${events.longest()} ms without an event, ${longest} ms until a request was answered`,
      );
      return longest;
    };
    await pause(CALM);
    report('without a failure, at most');
    for (const { title, strike, answersWithin } of strikes) {
      await strike();
      await pause(CALM);
      const longest = report(`${title}, at most`);
      if (answersWithin !== undefined)
        check(
          `${title}: no request waits longer than ${answersWithin} ms`,
          longest <= answersWithin,
          longest,
        );
    }
    await load.finish();
    for (const watched of [writes, events]) watched.stop();
    await checkAll(drilling, stack, load);
  } finally {
    await load.stop();
  }
}

async function checkAll({ folder, check, note }: Drilling, stack: Stack, load: Load): Promise<void> {
  const { journal, followed } = load;
  const { acknowledged, attempts } = journal.counts();
  const outcomes = Object.entries(attempts).map(([outcome, count]) => `${count} × ${outcome}`);
  note(`${acknowledged} acknowledged writes; attempts: ${outcomes.join(', ')}`);
  const findings = await compare(stack, load, folder);
  for (const { follower, received } of followed) {
    const { effects, repeated } = received.counts();
    note(`${follower}: ${effects} events, ${repeated} repeated deliveries`);
  }
  for (const [kind, title] of Object.entries(checks)) {
    const found = findings.filter((one) => one.kind === kind).map(({ what }) => what);
    check(title, found.length === 0, found);
  }
}

const checks: Readonly<Record<Finding['kind'], string>> = {
  lost: 'no acknowledged write is lost, and every event has reached each subscriber',
  doubled: 'no write and no effect happened twice',
  inconsistent:
    'every answer was right, rows are as the callers left them, log verify and projections rebuild --check find nothing',
};
