// `npm run bench -- --growth`: what a request costs as practices become more, and as one practice grows.

import { randomUUID } from 'node:crypto';
import type { Stack } from '@practice/start';
import { settle } from '../baseline/copy.js';
import { machine } from '../machine.js';
import { watchForQuiet } from '../quiet.js';
import { askingProduct } from '../requests.js';
import { startOwnStack, writeJson } from '../run.js';
import type { Run } from '../run.js';
import { copyPractice } from './copies.js';
import { openExplainer } from './explain.js';
import { measureGrowth } from './measure.js';
import { growAppointments, growPractices, openPractice } from './seed.js';
import type { Growing } from './seed.js';
import { growthTable } from './table.js';
import type { GrowthStep } from './table.js';

const fullGrowth = {
  practices: [10, 100, 1_000, 10_000, 100_000],
  appointmentsEach: 16,
  clientsEach: 5,
  /** In one practice, beside all the others; and the clients of that one. */
  appointments: [1_000, 5_000, 50_000, 200_000],
  clients: 200,
  /** Requests of each kind, one after the other. */
  requests: 200,
};
/** The schemas of services that keep records of practices. */
const schemas = ['scheduling', 'clients', 'clinical_notes', 'finance'];
const quickGrowth = { ...fullGrowth, practices: [10, 1_500], appointments: [500, 1_000], requests: 20 };

async function openExplainers({ closing }: Run, stack: Stack) {
  const explainers = {
    scheduling: await openExplainer(stack.databaseUrl('scheduling')),
    clients: await openExplainer(stack.databaseUrl('clients')),
  };
  closing.push(() => Promise.all(Object.values(explainers).map((explainer) => explainer.close())));
  return explainers;
}

/** Grows and measures, size by size. */
export async function growth(run: Run): Promise<void> {
  const { flags, stages, signal, closing, say } = run;
  const sizes = flags.quick ? quickGrowth : fullGrowth;
  const secret = `${randomUUID()}${randomUUID()}`;
  const { stack, admin } = await startOwnStack(run, secret);
  const quiet = await watchForQuiet(admin, stack.natsUrl('admin'), signal);
  closing.push(quiet.close);
  const explainers = await openExplainers(run, stack);
  const [origin, asking] = [new URL(stack.baseUrl).origin, askingProduct(stack.apikey)];
  let turn = 0;
  const measuring = { origin, asking, explainers, requests: sizes.requests, signal, turns: () => turn++ };
  const steps: GrowthStep[] = [];
  const measured = async (of: GrowthStep['of'], size: number, practices: readonly Growing[]) => {
    await stages.run('  Followed, statistics made', async () => {
      await quiet.reached();
      await settle(admin);
    });
    await stages.run('  Measured', async () => {
      steps.push({ of, size, costs: await measureGrowth(measuring, practices) });
    });
  };

  const seeding = { api: stack, secret, signal };
  // A copy has the log, so it is made once the mirrors have followed.
  const copy = (id: string, ids: readonly string[]): Promise<void> =>
    quiet.reached().then(() => copyPractice(admin, { id, ids, schemas }, signal));
  const practices: Growing[] = [];
  for (const count of sizes.practices) {
    await stages.run(`${count} practices`, () =>
      growPractices(seeding, practices, { count, ...sizes, copy }),
    );
    await measured('practices', count, practices);
  }
  const one = await openPractice(seeding, sizes.clients);
  for (const count of sizes.appointments) {
    await stages.run(`${count} appointments in one more`, () => growAppointments(seeding, one, count));
    await measured('appointments', count, [one]);
  }
  const where = await machine(admin);
  say(growthTable(where, steps));
  writeJson(run, { machine: where, sizes, growth: steps });
}
