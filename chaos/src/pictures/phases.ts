// The phases of the run, one after the other: each makes something visible in the graphs.
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { runProgram, storedServices } from '@practice/dev';
import pg from 'pg';
import { serversOf } from '../checks/programs.js';
import { pidOf } from '../faults/processes.js';
import { loseStream } from '../faults/stream.js';
import type { Phase } from './graph.js';
import type { Scene } from './scene.js';

interface PlannedPhase {
  readonly label: string;
  readonly seconds: number;
  /** Runs until it is done, or until `ended`. */
  readonly act?: (scene: Scene, ended: AbortSignal) => Promise<unknown>;
}

const KILLED_FOR_MS = 12_000;
const LOCKED_FOR_MS = 15_000;

const plan: readonly PlannedPhase[] = [
  { label: 'calm', seconds: 30, act: ({ command }) => command('log', 'verify') },
  { label: 'busy', seconds: 40, act: ({ callers }) => callers.order({ kind: 'crowd', seconds: 40 }) },
  { label: 'calm', seconds: 15, act: ({ command }) => command('backup') },
  { label: 'flood', seconds: 40, act: ({ callers }) => callers.order({ kind: 'flood', seconds: 40 }) },
  { label: 'calm', seconds: 20 },
  { label: 'killed', seconds: 30, act: killService },
  { label: 'replica', seconds: 25, act: awayReplica },
  { label: 'lock', seconds: 25, act: lockMirror },
  { label: 'stream', seconds: 30, act: loseStream },
  { label: 'rebuild', seconds: 25, act: rebuild },
  { label: 'calm', seconds: 15 },
];

/** Kills the service of clients again and again: the supervisor waits longer before each new start. */
async function killService({ stack }: Scene): Promise<void> {
  let killed: number | undefined;
  for (const began = Date.now(); Date.now() - began < KILLED_FOR_MS;) {
    killed = await pidOf(stack, 'clients', killed);
    process.kill(killed, 'SIGKILL');
  }
}

async function awayReplica({ standby }: Scene): Promise<void> {
  await standby.stop();
  await pause(10_000);
  await standby.start();
}

/** A session that is forgotten holds a lock: events wait for their effect. */
async function lockMirror({ stack }: Scene): Promise<void> {
  const client = new pg.Client({ connectionString: stack.adminDatabaseUrl });
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query('LOCK TABLE clinical_notes.mirror IN EXCLUSIVE MODE');
    await pause(LOCKED_FOR_MS);
  } finally {
    await client.end();
  }
}

/** Again and again: with so few practices, a rebuild takes less time than the pause between two scrapes. */
async function rebuild({ stack, folder }: Scene, ended: AbortSignal): Promise<void> {
  const output = openSync(join(folder, 'rebuild.log'), 'a');
  const services = storedServices.filter(({ name }) => ['scheduling', 'finance'].includes(name));
  while (!ended.aborted)
    for (const service of services)
      await runProgram({ service, program: 'rebuild', args: [] }, serversOf(stack), output);
  closeSync(output);
}

/**
 * Carries out the plan.
 * @returns the phases as they were, with seconds since the call
 */
export async function carryOutPhases(scene: Scene, note: (line: string) => void): Promise<Phase[]> {
  const began = Date.now();
  const now = (): number => Math.round((Date.now() - began) / 1000);
  const phases: Phase[] = [];
  for (const { label, seconds, act } of plan) {
    const begin = now();
    note(`${label}: ${seconds} s`);
    const ended = AbortSignal.timeout(seconds * 1000);
    await Promise.all([pause(seconds * 1000), act?.(scene, ended)]);
    phases.push({ label, begin, end: now() });
  }
  return phases;
}
