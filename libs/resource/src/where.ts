import type { Problem } from '@practice/core';

/** Column → the values it may have for a row to count. */
export type Where = Readonly<Record<string, readonly (string | boolean)[]>>;

/** Whether a row counts. */
export const matches = (where: Partial<Where>, row: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(where).every(([name, values = []]) =>
    values.some((value) => String(value) === String(row[name])),
  );

/** The conditions in words, in Markdown: `status` invited or active. */
export const conditionsOf = (where: Where): string[] =>
  Object.entries(where).map(([name, values]) => `\`${name}\` ${values.join(' or ')}`);

/** Records with these values are final; `problem` is the error for every write of one. */
export interface Lock {
  readonly where: Where;
  readonly problem: Problem;
}

/** The values that a record has for a new one that refers to it; `problem` is the error without them. */
export interface Needs extends Lock {
  /** Also for each change and deletion. Derived values are free to follow. */
  readonly always?: true;
}
