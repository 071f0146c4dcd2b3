import { schemaOf } from '@practice/core';

/** The tables of a service's log. */
export type LogTable =
  | 'practice_head'
  | 'events'
  | 'outbox'
  | 'personal_keys'
  | 'personal_values'
  | 'published'
  | 'refill'
  | 'restorations'
  | 'backfill_requests';

/** The name of a log table in SQL. */
export const logTable = (service: string, table: LogTable): string => `"${schemaOf(service)}".${table}`;
