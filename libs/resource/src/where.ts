import type { Problem } from '@practice/core';

/** Conditions on a row: column → the allowed values. */
export type Where = Readonly<Record<string, readonly (string | boolean)[]>>;

/** Whether a row meets the conditions. Every write asks this several times, so it makes no lists. */
export function matches(where: Partial<Where>, row: Readonly<Record<string, unknown>>): boolean {
  for (const name in where) if (where[name]?.includes(row[name] as string | boolean) !== true) return false;
  return true;
}

/** The conditions in words, in Markdown: "`status` invited or active". */
export const conditionsOf = (where: Where): string[] =>
  Object.entries(where).map(([name, values]) => `\`${name}\` ${values.join(' or ')}`);

/** Records with these values are final; `problem` is the error for every write of such a record. */
export interface Lock {
  readonly where: Where;
  readonly problem: Problem;
}

/** The error for a write of a record that is final: a signed note, an issued invoice. Undefined for any other record. */
export function lockOf(
  { name, locked }: { readonly name: string; readonly locked?: Lock },
  record: Readonly<Record<string, unknown>> | null,
): Problem | undefined {
  if (locked === undefined || record === null) return undefined;
  return matches(locked.where, record)
    ? { ...locked.problem, details: `${name} ${String(record['id'])}.` }
    : undefined;
}

/** The values that a record must have so that a new or changed record may refer to it; `problem` is the error if it does not have them. */
export interface Needs extends Lock {
  /** The values are also needed for each deletion of the referring record. */
  readonly always?: true;
}
