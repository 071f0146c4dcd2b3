// Names in SQL of tables that all services have, beside the tables of the log.

import { schemaOf } from '@practice/core';

/** resource of another service → the columns that this service needs; the id is always included */
export type Mirrored = Readonly<Record<string, readonly string[]>>;

export const mirrorOf = (service: string): string => `"${schemaOf(service)}".mirror`;

/**
 * The table with the position of a mirror in each subscription. It is stored beside the mirror, because JetStream's own position
 * does not move back when an older copy of the database is restored.
 */
export const followedOf = (service: string): string => `"${schemaOf(service)}".followed`;

/** The marks of records that are being deleted. */
export const marksOf = (service: string): string => `"${schemaOf(service)}".deletion_marks`;

export const idempotencyOf = (service: string): string => `"${schemaOf(service)}".idempotency`;

/** SQL for whether an answer is too old to be kept. The policy `old` of the table has the same condition. */
export const OLD = `answered_at <= now() - interval '24 hours'`;

/** A header of the refusal of one attempt, whose request may still arrive. A later attempt under the same key replaces the refusal. */
export const GIVEN_UP = 'Given-Up-Attempt';

/** A header that is stored but not sent: the attempt that has made the response. It is empty once another attempt has got it, too. */
export const MADE_BY = 'Made-By-Attempt';
