// Compares all data once relays and followers have had time to catch up.
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { withClient } from '@practice/operator';
import type { Load } from '../load.js';
import { checkEvents } from './events.js';
import type { Finding } from './finding.js';
import { checkFollowers } from './followers.js';
import { checkRows } from './rows.js';
import { checkTables } from './tables.js';

/** The parts of a load that are compared. */
type Expected = Pick<Load, 'journal' | 'practices' | 'followed'>;

export interface Settling extends Expected {
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
