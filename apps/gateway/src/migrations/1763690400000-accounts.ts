import { logTables } from '@practice/event-store';
import { migration } from '@practice/service';
import { authTables } from './auth-tables.js';

/** The gateway's log, and the accounts, sessions and keys it signs callers in with. */
export const Accounts1763690400000 = migration('Accounts1763690400000', [
  ...logTables('gateway'),
  ...authTables,
]);
