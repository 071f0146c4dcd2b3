// The comparison at the end of a load: of all data with the journal of the callers, and the product's own checks.
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { withClient } from '@practice/operator';
import type { Stack } from '@practice/start';
import type { Load } from '../load.js';
import { checkEvents } from './events.js';
import { finding, type Finding } from './finding.js';
import { checkFollowers } from './followers.js';
import { checkByPrograms, checkChain } from './programs.js';
import { checkRows } from './rows.js';
import { checkTables } from './tables.js';

/** How long relays and followers may need at the end. */
const SETTLES_WITHIN = 120_000;

/** @param folder receives the output of programs */
export async function compare(stack: Stack, load: Load, folder: string): Promise<Finding[]> {
  const { journal, practices, api } = load;
  const settled = await settle({ ...load, databaseUrl: stack.adminDatabaseUrl, within: SETTLES_WITHIN });
  const chains = await Promise.all(practices.map((practice) => checkChain(api, practice)));
  return [
    ...journal.wrong.map(finding('inconsistent')),
    ...settled,
    ...chains.flat(),
    ...(await checkByPrograms(stack, folder)),
  ];
}

/** The parts of a load that are compared. */
type Expected = Pick<Load, 'journal' | 'practices' | 'followed'>;

interface Settling extends Expected {
  readonly databaseUrl: string;
  /** Milliseconds that relays and followers get. */
  readonly within: number;
}

/** Repeats all checks until they find nothing or the time is over. @returns the remaining findings */
export const settle = ({ databaseUrl, within, ...expected }: Settling): Promise<Finding[]> =>
  withClient(databaseUrl, async (admin) => {
    for (const began = Date.now(); ; await pause(500)) {
      const findings = await checkAll(admin, expected);
      if (findings.length === 0 || Date.now() - began > within) return findings;
    }
  });

async function checkAll(admin: Client, { journal, practices, followed }: Expected): Promise<Finding[]> {
  const ids = practices.map(({ therapistId }) => therapistId);
  return [
    ...(await checkEvents(admin, journal, ids)),
    ...(await checkRows(admin, journal)),
    ...(await checkTables(admin, ids)),
    ...(await checkFollowers(admin, followed, ids)),
  ];
}
