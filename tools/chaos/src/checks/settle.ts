// Compares everything once it has come to rest: relays and followers get time to catch up.
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { withClient } from '@practice/operator';
import type { Journal } from '../load/journal.js';
import type { Practice } from '../load/practice.js';
import { checkEvents } from './events.js';
import type { Finding } from './finding.js';
import { checkFollowers, type Followed } from './followers.js';
import { checkRows } from './rows.js';
import { checkTables } from './tables.js';

export interface Settling {
  readonly databaseUrl: string;
  readonly journal: Journal;
  readonly practices: readonly Practice[];
  readonly followed: readonly Followed[];
  /** Milliseconds that relays and followers get. */
  readonly within: number;
}

/** Checks again and again until nothing is found. @returns the findings that stay */
export const settle = ({ databaseUrl, within, ...expected }: Settling): Promise<Finding[]> =>
  withClient(databaseUrl, async (admin) => {
    for (const began = Date.now(); ; await pause(500)) {
      const findings = await checkAll(admin, expected);
      if (findings.length === 0 || Date.now() - began > within) return findings;
    }
  });

async function checkAll(
  admin: Client,
  { journal, practices, followed }: Omit<Settling, 'databaseUrl' | 'within'>,
): Promise<Finding[]> {
  const ids = practices.map(({ therapistId }) => therapistId);
  return [
    ...(await checkEvents(admin, journal, ids)),
    ...(await checkRows(admin, journal)),
    ...(await checkTables(admin, ids)),
    ...(await checkFollowers(admin, followed, ids)),
  ];
}
