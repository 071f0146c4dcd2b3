import { SWEPT_AT_ONCE } from '@practice/storage';
import type { Sweep } from '@practice/storage';
import type { SessionConfig } from '../identity.config.js';

const KEPT = `now() - interval '30 days'`;

/** A session that was refreshed since is kept, whatever else is true of it. */
export const OLD_SESSION = `refreshed_at < ${KEPT}`;

/** Deletes sessions, with their refresh tokens, 30 days after they ended in any way. */
export const oldSessions = ({ idleSeconds, maxSeconds }: SessionConfig): Sweep => ({
  table: 'sessions',
  statement: {
    text: `DELETE FROM identity.sessions WHERE (user_id, id) IN (
  SELECT user_id, id FROM identity.sessions WHERE ${OLD_SESSION}
    AND least(ended_at, refreshed_at + make_interval(secs => $1), created_at + make_interval(secs => $2)) < ${KEPT}
  ORDER BY refreshed_at LIMIT ${SWEPT_AT_ONCE}) RETURNING 1`,
    values: [idleSeconds, maxSeconds],
  },
});
