// Names in SQL of tables that all services have, beside the tables of the log.

import { schemaOf } from '@practice/core';

/** resource of another service → the columns of it that this service needs; its id always */
export type Mirrored = Readonly<Record<string, readonly string[]>>;

export const mirrorOf = (service: string): string => `"${schemaOf(service)}".mirror`;

/**
 * How far a mirror has followed each subscription, noted beside the mirror: JetStream's own position stays where it is when an older
 * copy of the database is restored.
 */
export const followedOf = (service: string): string => `"${schemaOf(service)}".followed`;

/** The marks of records that are being deleted. */
export const marksOf = (service: string): string => `"${schemaOf(service)}".deletion_marks`;

export const idempotencyOf = (service: string): string => `"${schemaOf(service)}".idempotency`;

/** How long an answer is kept. The policy `old` of the table has the same condition. */
export const OLD = `answered_at <= now() - interval '24 hours'`;
