// The settings of a transaction that row-level security compares with rows: the practices that it acts for, and the roles in
// which it reads and writes. They end with the transaction.

import type { PracticeRole } from '@practice/core';
import type { Statement } from './statement.js';

/** The setting that holds the practice whose rows a transaction may see. */
export const PRACTICE_SETTING = 'app.therapist_id';

/** The setting that holds the practices of a write transaction that several share, as an array literal. */
export const GROUP_SETTING = 'app.therapist_ids';

/** The setting that holds the role in which rows are read. */
export const READER_SETTING = 'app.reader';

/** The setting that holds the role in which the transaction of one practice writes. */
export const WRITER_SETTING = 'app.writer';

/** The setting that holds the roles in which a group writes: one for each of its practices, as an array literal. */
export const WRITERS_SETTING = 'app.writers';

/** The role of a service's own work, which no role rule limits. */
export const SYSTEM = 'system';

/** The role of a member, or the role of the service itself. */
export type ActingRole = PracticeRole | typeof SYSTEM;

/** A practice, and the role of its caller. */
export interface Acting {
  readonly therapistId: string;
  readonly role: ActingRole;
}

/** The service itself, for its own work in a practice. */
export const asSystem = (therapistId: string): Acting => ({ therapistId, role: SYSTEM });

const set = (...settings: readonly string[]): string =>
  `SELECT ${settings.map((setting, index) => `set_config('${setting}', $${index + 1}, true)`).join(', ')}`;

const arrayOf = (values: readonly string[]): string => `{${values.join()}}`;

/** From here on the transaction reads as this role in this practice. */
export const actFor = ({ therapistId, role }: Acting): Statement => ({
  text: set(PRACTICE_SETTING, READER_SETTING),
  values: [therapistId, role],
});

/** As `actFor`, with a limit in milliseconds for each later statement. A statement that takes longer fails with 57014. */
export const actWithin = ({ therapistId, role }: Acting, ms: number): Statement => ({
  text: set(PRACTICE_SETTING, READER_SETTING, 'statement_timeout'),
  values: [therapistId, role, String(ms)],
});

/** From here on the transaction also sees rows of private tables of these practices. It writes no records there. */
export const actForGroup = (practices: readonly string[]): Statement => ({
  text: set(GROUP_SETTING),
  values: [arrayOf(practices)],
});

/** From here on a transaction that writes reads as the service again. */
export const readAsSystem = (): Statement => ({ text: set(READER_SETTING), values: [SYSTEM] });

/**
 * From here on the transaction acts for these practices and writes in these roles, one for each practice. It reads as the
 * service, because decisions need more than a role may see.
 * @param ms the limit of each later statement, in milliseconds; a statement that takes longer fails with 57014
 */
export function actToWrite(writers: readonly Acting[], ms?: number): Statement {
  const [only = { therapistId: '', role: SYSTEM }, ...others] = writers;
  const [limit, limits] = ms === undefined ? [[], []] : [['statement_timeout'], [String(ms)]];
  if (others.length === 0)
    return {
      text: set(PRACTICE_SETTING, WRITER_SETTING, READER_SETTING, ...limit),
      values: [only.therapistId, only.role, SYSTEM, ...limits],
    };
  const practices = arrayOf(writers.map(({ therapistId }) => therapistId));
  const roles = arrayOf(writers.map(({ role }) => role));
  return {
    text: set(GROUP_SETTING, WRITERS_SETTING, READER_SETTING, ...limit),
    values: [practices, roles, SYSTEM, ...limits],
  };
}
