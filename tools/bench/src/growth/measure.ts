// The cost of each kind of request at the current size.

import { createRandom } from '@practice/start';
import type { HttpRequest } from '../load/protocol.js';
import { latencyOf, median } from '../report/statistics.js';
import type { Latency } from '../report/statistics.js';
import type { Asking } from '../requests.js';
import { cases } from './cases.js';
import type { Case } from './cases.js';
import type { Explainer, PostgresCost } from './explain.js';
import type { Growing } from './seed.js';

/** With the latency of requests one after the other. */
export interface GrowthCost extends Latency {
  readonly title: string;
  /** Null for a request without statements. */
  readonly postgres: PostgresCost | null;
}

export interface Measuring {
  readonly origin: string;
  readonly asking: Asking;
  readonly explainers: Readonly<Record<Case['schema'], Explainer>>;
  readonly requests: number;
  readonly signal: AbortSignal;
  /** Numbers for bookings, each used once in a run. */
  readonly turns: () => number;
}

const EXPLAINED_PRACTICES = 5;
const TIMES_EACH = 5;

/** Each kind for practices drawn out of `practices`. */
export async function measureGrowth(
  measuring: Measuring,
  practices: readonly Growing[],
): Promise<GrowthCost[]> {
  const random = createRandom(practices.length);
  const someone = (): Growing => practices[random(practices.length)] as Growing;
  const costs: GrowthCost[] = [];
  for (const one of cases) {
    const postgres = await explained(one, measuring.explainers[one.schema], someone);
    costs.push({ title: one.title, postgres, ...(await timed(measuring, one, someone)) });
  }
  return costs;
}

async function explained(
  { statements }: Case,
  explainer: Explainer,
  someone: () => Growing,
): Promise<PostgresCost | null> {
  if (statements === undefined) return null;
  const runs: PostgresCost[] = [];
  for (let drawn = 0; drawn < EXPLAINED_PRACTICES; drawn += 1) {
    const practice = someone();
    const asked = statements(practice);
    // The first one plans and fills caches.
    await explainer.cost(practice.id, asked);
    for (let time = 0; time < TIMES_EACH; time += 1) runs.push(await explainer.cost(practice.id, asked));
  }
  return {
    pages: median(runs.map(({ pages }) => pages)),
    rows: median(runs.map(({ rows }) => rows)),
    milliseconds: median(runs.map(({ milliseconds }) => milliseconds)),
    access: [...new Set(runs.flatMap(({ access }) => access))],
  };
}

async function timed(measuring: Measuring, { given, request }: Case, someone: () => Growing) {
  const { origin, asking, requests, signal, turns } = measuring;
  const latencies: number[] = [];
  const warmup = Math.ceil(requests / 10);
  for (let count = -warmup; count < requests; count += 1) {
    signal.throwIfAborted();
    const [practice, turn] = [someone(), turns()];
    const changeId =
      given === undefined ? '' : await answered(origin, given(asking, practice, { turn, changeId: '' }));
    const next = request(asking, practice, { turn, changeId });
    const began = performance.now();
    await answered(origin, next);
    if (count >= 0) latencies.push(performance.now() - began);
  }
  return latencyOf(latencies);
}

/** Waits for the response. @returns the Change-Id of a write */
async function answered(origin: string, { method, path, headers, body }: HttpRequest): Promise<string> {
  const answer = await fetch(`${origin}${path}`, { method, headers, ...(body !== undefined && { body }) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${text.slice(0, 300)}`);
  return answer.headers.get('change-id') ?? '';
}
