// `npm run bench -- --flood`: measures whether one busy practice slows others down, with each kind of flood in turn. Calm practices send
// requests at an even pace, first without and then beside a practice that sends requests as fast as it gets responses.

import { setTimeout as pause } from 'node:timers/promises';
import type { Stack } from '@practice/start';
import { FREE_BEGINS } from './calendar.js';
import type { HttpRequest, Pace } from './load/protocol.js';
import { saturate } from './load/wrk.js';
import { machine } from './machine.js';
import type { Bench } from './measurement.js';
import type { Read } from './reads.js';
import { measureRealtimeFlood, realtimeKinds } from './realtime/flood.js';
import { columns } from './report/columns.js';
import { median } from './report/statistics.js';
import { askingProduct } from './requests.js';
import { progress, startLoad, startOwnStack, writeJson, type Run } from './run.js';
import { createRequests } from './scenarios.js';
import { addUpTo, seed, type Practice } from './seed/seed.js';
import { fullSizes, quickSizes, sizesWith } from './sizes.js';

/** The requests of the practice that floods. */
const kinds = ['reads', 'writes', 'expensive'] as const;
const allKinds = [...kinds, ...realtimeKinds];

/** The 99th percentiles in milliseconds, and their ratio, which is the result. */
interface Compared {
  readonly kind: (typeof allKinds)[number];
  readonly alone: number;
  readonly beside: number;
  readonly ratio: number;
}

/** Appointments of the practice that floods, so that its expensive reads are expensive. */
const HOT_APPOINTMENTS = 20_000;

/** The p99 of calm practices with and without each flood, over several rounds. Each flood is measured directly after the same without it. */
export async function floods(run: Run): Promise<void> {
  const { flags, stages, signal, say } = run;
  const sizes = sizesWith(flags, {
    ...(flags.quick ? quickSizes : fullSizes),
    practices: 24,
    practicesWithRecords: 0,
  });
  const { stack, admin } = await startOwnStack(run);
  const practices = await stages.run('Seed', () => seed(stack, sizes, signal));
  await stages.run(`${HOT_APPOINTMENTS} appointments of the practice that floods`, async () => {
    await addUpTo(stack, practices[0] as Practice, { count: HOT_APPOINTMENTS, signal });
    await admin.query('ANALYZE');
  });
  const bench = startLoad(run, sizes);
  const flood = flags.quick ? quickFlood : fullFlood;
  const { alone, beside } = createFlood(bench, { stack, practices, flood });
  const calm = practices.slice(1, 1 + flood.calm);
  const realtime = { stack, hot: practices[0] as Practice, calm, seconds: flood.seconds };
  const measured = progress(run);
  const compared: Compared[] = [];
  const note = (kind: Compared['kind'], without: number, withFlood: number): void => {
    signal.throwIfAborted();
    const ratio = withFlood / without;
    compared.push({ kind, alone: without, beside: withFlood, ratio });
    measured(`${kind}: ${ratio.toFixed(2)}`);
  };
  for (let round = 1; round <= sizes.rounds; round += 1) {
    for (const kind of kinds) note(kind, await alone(), await beside(kind));
    for (const kind of realtimeKinds) {
      const one = await measureRealtimeFlood(kind, realtime);
      note(kind, one.alone, one.beside);
    }
  }
  say(`\n${tableOf(compared)}`);
  writeJson(run, { machine: await machine(admin), sizes, compared });
}

function tableOf(compared: readonly Compared[]): string {
  const rows = allKinds.map((kind) => {
    const rounds = compared.filter((one) => one.kind === kind);
    const medians = (['alone', 'beside', 'ratio'] as const).map((name) =>
      median(rounds.map((one) => one[name])).toFixed(2),
    );
    return [kind, ...medians];
  });
  return columns(['flood of', 'p99 without', 'p99 with', 'ratio'], rows);
}

/** The number of calm practices and their requests per second in all, and the connections of the practice that floods. */
const fullFlood = { calm: 20, perSecond: 60, connections: 64, seconds: 6 };
const quickFlood = { ...fullFlood, calm: 8, seconds: 2 };

/** More bookings than the flood gets answered in a second. */
const MOST_BOOKINGS_PER_SECOND = 3_000;
/** The flood begins a second before the calm requests, and ends a second after them. */
const MARGIN_SECONDS = 1;

/** The statuses that refuse a practice that asks for too much: its time is used up, its queue is full, or one read takes too long. */
const REFUSALS = [429, 503, 504];

/**
 * Measures the p99 of calm practices, in milliseconds: without a flood, and beside one.
 * Measurements can be repeated: no appointment is booked twice.
 */
function createFlood(
  bench: Bench,
  { stack, practices, flood }: { stack: Stack; practices: readonly Practice[]; flood: typeof fullFlood },
) {
  const { warmupSeconds } = bench.sizes;
  const { origin } = new URL(stack.baseUrl);
  const asking = askingProduct(stack.apikey);
  const requestsOf = (some: readonly Practice[]) =>
    createRequests(asking, { practices: some, sizes: bench.sizes, freeFrom: FREE_BEGINS.flood });
  const calm = requestsOf(practices.slice(1, 1 + flood.calm));
  const calmOrder = (): Pace => {
    const { perSecond, seconds } = flood;
    const total = Math.ceil(perSecond * (warmupSeconds + seconds));
    const list = threeToOne(calm.of('day', total), calm.of('book', Math.ceil(total / 4)), total);
    return { origin, list, perSecond, warmupSeconds, seconds };
  };
  const alone = async (): Promise<number> => (await bench.pacer.ask(calmOrder())).p99;

  const seconds = warmupSeconds + flood.seconds + 2 * MARGIN_SECONDS;
  const hot = requestsOf(practices.slice(0, 1));
  const requests = (kind: (typeof kinds)[number]): readonly HttpRequest[] => {
    if (kind === 'expensive')
      return expensiveReads.map((read) => asking.read(practices[0] as Practice, read));
    return hot.of(kind === 'reads' ? 'day' : 'book', Math.ceil(MOST_BOOKINGS_PER_SECOND * seconds));
  };
  const beside = async (kind: (typeof kinds)[number]): Promise<number> => {
    const { connections } = flood;
    const order = { origin, connections, seconds, refusals: REFUSALS, signal: bench.signal };
    const flooding = saturate({ ...order, requests: requests(kind) });
    const calmly = pause(MARGIN_SECONDS * 1000).then(() => bench.pacer.ask(calmOrder()));
    const [{ p99 }] = await Promise.all([calmly, flooding]);
    return p99;
  };
  return { alone, beside };
}

/** Reads that look at every appointment of the practice with the most expensive patterns that are accepted. */
const expensiveReads: readonly Read[] = [
  'appointments?select=id&notes=imatch.([a-z ]*[aeiou][a-z]{40})$',
  `appointments?select=id&notes=like.${'*e'.repeat(12)}*z*`,
  `appointments?select=id&or=(${Array.from({ length: 40 }, (_, index) => `notes.match."(a|b)*c[a-z ]{${index + 20}}x"`).join()})`,
].map((url) => ({ name: 'expensive', url: encodeURI(url) }));

const threeToOne = (
  reads: readonly HttpRequest[],
  bookings: readonly HttpRequest[],
  total: number,
): HttpRequest[] =>
  Array.from({ length: total }, (_, index) =>
    index % 4 === 3 ? bookings[(index - 3) / 4] : reads[index % reads.length],
  ).flatMap((request) => request ?? []);
