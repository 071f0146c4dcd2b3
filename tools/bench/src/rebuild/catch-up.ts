// Measures how fast the services that follow appointments catch up with the log.

import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { signalTree, type Stack } from '@practice/start';
import { atRest } from '../rest.js';
import { addUpTo, type Practice } from '../seed/seed.js';

const FOLLOWERS = ['clients', 'clinical-notes', 'finance'];

/** Appointments that each practice books while the followers are suspended. */
const EACH = 400;
const LOOK_EVERY_MS = 50;
const WITHIN_MS = 120_000;

/**
 * Suspends the followers, books appointments, and resumes all followers at once.
 * @param practices with all their appointments; the new ones are added
 * @returns events per second that each follower applied, until the mirrors of all followers had the appointments
 * @throws {Error} when a mirror does not have them after two minutes
 */
export async function catchUp(
  { stack, admin }: { readonly stack: Stack; readonly admin: Client },
  practices: Practice[],
  signal: AbortSignal,
): Promise<number> {
  const followers = stack.processes().filter(({ name }) => FOLLOWERS.includes(name));
  const before = await fewestMirrored(admin);
  let events = 0;
  const resumes = followers.map(({ pid }) => signalTree(pid, 'SIGSTOP'));
  try {
    for (const [index, practice] of practices.entries()) {
      const count = practice.appointments.length + EACH;
      const booked = await addUpTo(stack, practice, { count, signal });
      practices[index] = { ...practice, appointments: [...practice.appointments, ...booked] };
      events += booked.length;
    }
  } finally {
    for (const resume of resumes) resume();
  }
  // The supervisor ends a process that is silent for too long.
  const now = new Set(stack.processes().map(({ pid }) => pid));
  if (!followers.every(({ pid }) => now.has(pid)))
    throw new Error(
      'a follower was replaced: this machine books too slowly for the time that a process may be silent',
    );
  const began = performance.now();
  while ((await fewestMirrored(admin)) < before + events) {
    if (performance.now() - began > WITHIN_MS) throw new Error('a follower did not catch up');
    await pause(LOOK_EVERY_MS, undefined, { signal });
  }
  const seconds = (performance.now() - began) / 1000;
  await atRest(stack.processes, signal);
  return events / seconds;
}

/** The number of appointments in the mirror that has the fewest. */
async function fewestMirrored(admin: Client): Promise<number> {
  const counts = FOLLOWERS.map(
    (name) => `(SELECT count(*)::int FROM ${name.replace('-', '_')}.mirror WHERE resource = 'appointments')`,
  );
  const { rows } = await admin.query<{ count: number }>(`SELECT least(${counts.join(', ')}) AS count`);
  return rows[0]?.count ?? 0;
}
