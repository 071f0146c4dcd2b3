// Row-level security of a service's tables: a transaction reaches only rows of the practices that it acts for, in a role that may.

import {
  GROUP_SETTING,
  PRACTICE_SETTING,
  READER_SETTING,
  SYSTEM,
  WRITER_SETTING,
  WRITERS_SETTING,
} from './acting.js';

const value = (setting: string): string => `nullif(current_setting('${setting}', true), '')`;
const practice = `${value(PRACTICE_SETTING)}::uuid`;
const group = `${value(GROUP_SETTING)}::uuid[]`;
const writers = `${value(WRITERS_SETTING)}::text[]`;

/** The practice of the connection; null, and so no row, if it is not set. `select` makes Postgres evaluate it once per statement. */
export const currentPractice = `(select ${practice})`;

/** Roles as an array of Postgres. */
export const roleArray = (roles: readonly string[]): string => `'{${roles.join()}}'::text[]`;

/**
 * SQL for whether a row belongs to the one practice or to one of several. A connection has only one of the two settings. CASE
 * keeps the comparison a filter: with OR, Postgres would combine two index scans, whose rows have no order.
 */
const ownIf = (one: string, several: string): string =>
  `CASE WHEN therapist_id = (select ${one}) THEN true ELSE therapist_id = ANY ((select ${several})::uuid[]) END`;

const isOwn = ownIf(practice, group);

const reader = `current_setting('${READER_SETTING}', true)`;

/** Whether the transaction reads in one of these roles. @param roles an array of Postgres */
export const readsAs = (roles: string): string => `(select ${reader}) = ANY (${roles})`;

/**
 * SQL for whether the transaction may read a row that these roles may read. The role is compared once per statement, where the practice is
 * read, so it costs nothing per row: any other role gets no practice. Only the service itself reads several practices.
 */
export const isReadableBy = (roles: readonly string[]): string =>
  ownIf(
    `CASE WHEN ${reader} = ANY (${roleArray(roles)}) THEN ${practice} END`,
    `CASE WHEN ${reader} = '${SYSTEM}' THEN ${group} END`,
  );

/** SQL for whether the transaction may write a row that these roles may write. Each practice of a group has a role. */
export const isWritableBy = (roles: readonly string[]): string =>
  ownIf(
    `CASE WHEN current_setting('${WRITER_SETTING}', true) = ANY (${roleArray(roles)}) THEN ${practice} END`,
    `array_agg(w.practice) FROM unnest(${group}, ${writers}) AS w(practice, role) WHERE w.role = ANY (${roleArray(roles)})`,
  );

/** SQL for the role in which the transaction writes a row of the log: the role for the row's practice. */
export const writerOfRow = `coalesce((select ${value(WRITER_SETTING)}), ((select ${writers})::text[])[array_position((select ${group})::uuid[], therapist_id)])`;

/** Row-level security: the request role sees and writes only rows of the connection's practices. */
export function ownPracticeOnly({ schema, role }: { schema: string; role: string }, table: string): string[] {
  return [
    `ALTER TABLE "${schema}"."${table}" ENABLE ROW LEVEL SECURITY`,
    `CREATE POLICY own_practice ON "${schema}"."${table}" TO "${role}"
      USING (${isOwn}) WITH CHECK (${isOwn})`,
  ];
}
