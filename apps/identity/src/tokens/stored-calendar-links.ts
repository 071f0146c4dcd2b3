// Calendar links in the database. Unless it says otherwise, the transaction acts for the practice of the link.

import { randomUUID } from 'node:crypto';
import type { KnownCalendarLink } from '@practice/contracts';
import type { Statement } from '@practice/log';
import type { ClientBase } from 'pg';
import type { Member } from '../sessions/sessions.js';

/** Links of one member in a practice at most. */
export const MAX_LINKS = 20;
/** The precision of a link's last use. */
const USE_PRECISION_SECONDS = 300;

export interface NewCalendarLink extends Member {
  readonly hash: string;
  readonly full: boolean;
  readonly practitionerId: string | null;
}

/** A link as its maker and the owners see it later. */
export interface ListedCalendarLink {
  readonly id: string;
  readonly user_id: string;
  readonly full: boolean;
  readonly practitioner_id: string | null;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
  readonly last_used_address: string | null;
}

/** @returns its id; undefined when the member has the maximum already */
export async function insertCalendarLink(
  client: ClientBase,
  { therapistId, userId, hash, full, practitionerId }: NewCalendarLink,
): Promise<string | undefined> {
  const { rows } = await client.query<{ id: string }>(
    `INSERT INTO identity.calendar_links (therapist_id, id, user_id, secret_hash, is_full, practitioner_id, created_at)
     SELECT $1, $2, $3, $4, $5, $6, date_trunc('milliseconds', now())
     WHERE (SELECT count(*) FROM identity.calendar_links WHERE therapist_id = $1 AND user_id = $3) < $7
     RETURNING id`,
    [therapistId, randomUUID(), userId, hash, full, practitionerId, MAX_LINKS],
  );
  return rows[0]?.id;
}

/** The links of a practice, the newest first. @param userId null: the links of all members */
export async function listCalendarLinks(
  client: ClientBase,
  therapistId: string,
  userId: string | null,
): Promise<ListedCalendarLink[]> {
  const { rows } = await client.query<ListedCalendarLink>(
    `SELECT id, user_id, is_full AS "full", practitioner_id, created_at, last_used_at, last_used_address
     FROM identity.calendar_links WHERE therapist_id = $1 AND ($2::uuid IS NULL OR user_id = $2)
     ORDER BY created_at DESC, id`,
    [therapistId, userId],
  );
  return rows;
}

/** @param userId null: the link of any member. @returns who made it; undefined if it does not exist */
export async function removeCalendarLink(
  client: ClientBase,
  {
    therapistId,
    id,
    userId,
  }: { readonly therapistId: string; readonly id: string; readonly userId: string | null },
): Promise<string | undefined> {
  const { rows } = await client.query<{ maker: string }>(
    `DELETE FROM identity.calendar_links WHERE therapist_id = $1 AND id = $2 AND ($3::uuid IS NULL OR user_id = $3)
     RETURNING user_id AS maker`,
    [therapistId, id, userId],
  );
  return rows[0]?.maker;
}

/** The link behind the hash that the transaction's caller has presented. */
export async function calendarLinkByHash(
  client: ClientBase,
  hash: string,
): Promise<Omit<KnownCalendarLink, 'practiceRole'> | undefined> {
  const { rows } = await client.query<Omit<KnownCalendarLink, 'practiceRole'>>(
    `SELECT id, therapist_id AS "therapistId", user_id AS "userId", is_full AS "full", practitioner_id AS "practitionerId"
     FROM identity.calendar_links WHERE secret_hash = $1`,
    [hash],
  );
  return rows[0];
}

/** Notes a use of a link, at most once in a few minutes. */
export async function noteCalendarUse(
  client: ClientBase,
  { therapistId, id }: Pick<KnownCalendarLink, 'therapistId' | 'id'>,
  address: string,
): Promise<void> {
  await client.query(
    `UPDATE identity.calendar_links SET last_used_at = date_trunc('milliseconds', now()), last_used_address = $3
     WHERE therapist_id = $1 AND id = $2
       AND (last_used_at IS NULL OR last_used_at < now() - make_interval(secs => ${USE_PRECISION_SECONDS}))`,
    [therapistId, id, address],
  );
}

/** Ends the links of the user that the transaction acts for, in all practices. */
export async function endCalendarLinks(client: ClientBase, userId: string): Promise<void> {
  await client.query('DELETE FROM identity.calendar_links WHERE user_id = $1', [userId]);
}

/** Ends the links of a member in one practice. */
export const endCalendarLinksIn = ({ userId, therapistId }: Member): Statement => ({
  text: 'DELETE FROM identity.calendar_links WHERE user_id = $1 AND therapist_id = $2',
  values: [userId, therapistId],
});
