// A load on a system while its servers fail, and the comparison of everything with the journal of the callers.
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Drilling, Stack } from '@practice/dev';
import { checkByPrograms } from '../checks/programs.js';
import { settle } from '../checks/settle.js';
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
const SETTLES_WITHIN = 120_000;

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
    await compare(drilling, stack, load);
  } finally {
    await load.stop();
  }
}

async function compare({ folder, check, note }: Drilling, stack: Stack, load: Load): Promise<void> {
  const { journal, practices, followed } = load;
  const { acknowledged, attempts } = journal.counts();
  const outcomes = Object.entries(attempts).map(([outcome, count]) => `${count} × ${outcome}`);
  note(`${acknowledged} acknowledged writes; attempts: ${outcomes.join(', ')}`);
  const findings = await settle({
    ...{ databaseUrl: stack.adminDatabaseUrl, within: SETTLES_WITHIN, journal, practices, followed },
  });
  for (const { follower, received } of followed) {
    const { effects, repeated } = received.counts();
    note(`${follower}: ${effects} events, ${repeated} repeated deliveries`);
  }
  const found = (kind: string): string[] =>
    findings.filter((one) => one.kind === kind).map(({ what }) => what);
  const [lost, doubled, different] = ['lost', 'doubled', 'inconsistent'].map(found) as [
    string[],
    string[],
    string[],
  ];
  check(
    'no acknowledged write is lost, and every event has reached each subscriber',
    lost.length === 0,
    lost,
  );
  check('no write and no effect happened twice', doubled.length === 0, doubled);
  check('all rows are as the callers left them', different.length === 0, different);
  check('every answer was right', journal.wrong.length === 0, journal.wrong.slice(0, 3));
  const wrong = await checkByPrograms(stack, join(folder, 'programs.log'));
  check('log verify and projections rebuild --check find nothing', wrong.length === 0, wrong);
}
