// `npm run bench -- --flood`: measures calm practices beside one that floods, with each kind of flood in turn. Every flood is compared
// with a measurement of the same practices without it, made directly before.

import { createFlood, fullFlood, quickFlood, type FloodKind } from './flood.js';
import { machine } from './machine.js';
import { measureRealtimeFlood, realtimeKinds } from './realtime/flood.js';
import { columns } from './report/columns.js';
import { median } from './report/statistics.js';
import { progress, startLoad, startOwnStack, writeJson, type Run } from './run.js';
import { addUpTo, seed, type Practice } from './seed/seed.js';
import { fullSizes, quickSizes, sizesWith } from './sizes.js';

const kinds = ['reads', 'writes', 'expensive'] as const satisfies readonly FloodKind[];
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

/** The p99 of calm practices with and without each flood, over several rounds. */
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
