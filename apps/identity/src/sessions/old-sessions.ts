import { SWEPT_AT_ONCE } from '@practice/storage';
import type { Sweep } from '@practice/storage';
import type { SessionConfig } from '../identity.config.js';
import { OLD_SESSION } from '../store/row-security.js';
import { deleteOldSessions } from '../store/raw-sql.js';

/** Deletes sessions, with their refresh tokens, 30 days after they ended in any way. */
export const oldSessions = (limits: SessionConfig): Sweep => ({
  table: 'sessions',
  statement: deleteOldSessions(OLD_SESSION, { ...limits, atOnce: SWEPT_AT_ONCE }),
});
