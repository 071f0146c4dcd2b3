import { schemaOf } from '@practice/core';

/** How long an answer is kept. The policy `old` of the table has the same condition. */
export const OLD = `answered_at <= now() - interval '24 hours'`;

export const idempotencyOf = (service: string): string => `"${schemaOf(service)}".idempotency`;
