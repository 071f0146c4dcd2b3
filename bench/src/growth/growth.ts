// `npm run bench -- --growth`: what a request costs as practices become more, and as one practice grows.

import { randomUUID } from 'node:crypto';
import type { Stack, Stages } from '@practice/dev';
import type { Client } from 'pg';
import { watchForQuiet } from '../quiet.js';
import { askingProduct } from '../requests.js';
import { settle } from '../baseline/schema.js';
import { openExplainer } from './explain.js';
import { measureGrowth } from './measure.js';
import type { GrowthCost, Measuring } from './measure.js';
import { growAppointments, growPractices, openPractice } from './seed.js';
import type { Growing, Seeding } from './seed.js';
import type { GrowthSizes } from './sizes.js';

/** The measurements at one size. */
export interface GrowthStep {
  /** Which number grew: practices, or the appointments of one practice. */
  readonly of: 'practices' | 'appointments';
  readonly size: number;
  readonly costs: readonly GrowthCost[];
}

export interface GrowthInput {
  readonly stack: Stack;
  readonly admin: Client;
  readonly secret: string;
  readonly sizes: GrowthSizes;
  readonly stages: Stages;
  readonly signal: AbortSignal;
  /** Receives the functions to call at the end. */
  readonly closing: (() => unknown)[];
}

export const newSecret = (): string => `${randomUUID()}${randomUUID()}`;

/** Grows and measures, size by size. */
export async function growth(input: GrowthInput): Promise<GrowthStep[]> {
  const { stack, admin, secret, sizes, stages, signal, closing } = input;
  const quiet = await watchForQuiet(admin, stack.natsUrl('admin'), signal);
  closing.push(quiet.close);
  const measuring = await measuringOf(input);
  const seeding: Seeding = { api: stack, secret, signal };
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

  const practices: Growing[] = [];
  for (const count of sizes.practices) {
    await stages.run(`${count} practices`, () => growPractices(seeding, practices, { count, sizes }));
    await measured('practices', count, practices);
  }
  const one = await openPractice(seeding, sizes.clients);
  for (const count of sizes.appointments) {
    await stages.run(`${count} appointments in one more`, () => growAppointments(seeding, one, count));
    await measured('appointments', count, [one]);
  }
  return steps;
}

async function measuringOf({ stack, sizes, signal, closing }: GrowthInput): Promise<Measuring> {
  const explainers = {
    scheduling: await openExplainer(stack.databaseUrl('scheduling')),
    clients: await openExplainer(stack.databaseUrl('clients')),
  };
  closing.push(() => Promise.all(Object.values(explainers).map((explainer) => explainer.close())));
  let turn = 0;
  return {
    origin: new URL(stack.baseUrl).origin,
    asking: askingProduct(stack.apikey),
    explainers,
    requests: sizes.requests,
    signal,
    turns: () => turn++,
  };
}
