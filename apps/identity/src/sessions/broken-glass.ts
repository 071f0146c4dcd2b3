// Break-glass access of sessions: the state that gateways need. Its record is a security event.

import type { GlassBroken } from '@practice/contracts';
import { isPracticeRole } from '@practice/core';
import type { Statement } from '@practice/log';
import type { CrossTenantConnection } from '@practice/storage';
import type { ClientBase } from 'pg';
import { USER_SETTING } from '../store/row-security.js';
import type { Member } from './sessions.js';

const BREAK_GLASS_MINUTES = 60;

/**
 * Gives break-glass access to an open session of the user that the transaction acts for, in place of an earlier one.
 * @returns undefined when the session has ended or acts in another practice
 */
export async function breakGlassIn(
  client: ClientBase,
  access: Omit<GlassBroken, 'until'>,
): Promise<GlassBroken | undefined> {
  const { userId, sessionId, therapistId, role, id } = access;
  const { rows } = await client.query<{ until: number }>(
    `INSERT INTO identity.broken_glass AS g (user_id, session_id, therapist_id, role, id, until)
     SELECT user_id, id, therapist_id, $4, $5,
       date_trunc('milliseconds', now()) + make_interval(mins => ${BREAK_GLASS_MINUTES})
     FROM identity.sessions WHERE user_id = $1 AND id = $2 AND therapist_id = $3 AND ended_at IS NULL
     ON CONFLICT (user_id, session_id) DO UPDATE
     SET therapist_id = excluded.therapist_id, role = excluded.role, id = excluded.id, until = excluded.until
     RETURNING (extract(epoch FROM g.until) * 1000)::float8 AS until`,
    [userId, sessionId, therapistId, role, id],
  );
  return rows[0] && { ...access, until: rows[0].until };
}

/** Ends the break-glass accesses of a person in a practice. Private rows are seen as their user. */
export const endBreakGlass = ({ userId, therapistId }: Member): Statement[] => [
  { text: 'SELECT set_config($1, $2, true)', values: [USER_SETTING, userId] },
  {
    text: 'DELETE FROM identity.broken_glass WHERE user_id = $1 AND therapist_id = $2',
    values: [userId, therapistId],
  },
];

/** The accesses of all sessions that have not ended. */
export async function brokenGlass(crossTenant: CrossTenantConnection): Promise<GlassBroken[]> {
  const rows = await crossTenant.run({
    text: `SELECT user_id, session_id, therapist_id, role, id, round(extract(epoch FROM until) * 1000)
      FROM identity.broken_glass WHERE until > now()`,
    values: [],
  });
  return rows.flatMap(([userId, sessionId, therapistId, role, id, until]) =>
    isPracticeRole(role)
      ? [
          {
            ...{
              userId: String(userId),
              sessionId: String(sessionId),
              therapistId: String(therapistId),
              role,
            },
            ...{ id: String(id), until: Number(until) },
          },
        ]
      : [],
  );
}
