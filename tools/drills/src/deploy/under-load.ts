// Callers and followers use a system while it is changed.
import { setTimeout as pause } from 'node:timers/promises';
import { compare, compareByApi, startLoad } from '@practice/chaos';
import type { ApiAccess, Stack } from '@practice/start';
import type { Drilling } from '../kit/drill.js';

const SETTLED_MS = 2000;
const LOAD = { seed: 1, practices: 3, rest: 50, isPatient: true };
/** A booking of a time that another caller has taken is refused with 409. */
const ANSWERS = ['200', '201', '409'];

export interface Work {
  readonly title: string;
  /** @returns a description of the work that was done */
  readonly work: () => Promise<string>;
  /** Whether the only process that keeps streams open is replaced, so that they may be refused meanwhile. */
  readonly mayRefuseStreams?: boolean;
  /** The servers behind the API, if this machine reaches them: then the logs and the tables are compared too. */
  readonly stack?: Stack;
}

/** Runs the work while practices read, write and receive events, and checks that no request fails and nothing is lost or doubled. */
export async function underLoad(
  { check, note, folder }: Drilling,
  api: ApiAccess & Partial<Pick<Stack, 'natsUrl'>>,
  { title, work, mayRefuseStreams = false, stack }: Work,
): Promise<void> {
  const load = await startLoad({ stack: api, wires: new Map() }, { ...LOAD, folder });
  try {
    await pause(SETTLED_MS);
    const began = performance.now();
    const done = await work();
    const seconds = ((performance.now() - began) / 1000).toFixed(0);
    await pause(SETTLED_MS);
    await load.finish();
    const { acknowledged, attempts } = load.journal.counts();
    const outcomes = Object.entries(attempts).map(([outcome, count]) => `${count} × ${outcome}`);
    note(
      `${title}: ${done} in ${seconds} s; ${acknowledged} writes; ${outcomes.join(', ')}; slowest ${load.journal.longestRepeat()} ms`,
    );
    const failed = Object.keys(attempts).filter((outcome) => !ANSWERS.includes(outcome));
    check(`${title}: no request failed`, failed.length === 0, attempts);
    const findings = await (stack ? compare(stack, load, folder) : compareByApi(load));
    check(
      `${title}: nothing was lost, doubled or left different`,
      findings.length === 0,
      findings.slice(0, 5),
    );
    const { 'refused streams': refused } = load.disturbances();
    if (!mayRefuseStreams) check(`${title}: every stream was opened again at once`, refused === 0, refused);
  } finally {
    await load.stop();
  }
}
