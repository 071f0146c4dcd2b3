// A value that must be one of the values of another resource's column, such as a person among the members.

import { problemFor, type Problem } from '@practice/core';
import { conditionsOf } from './where.js';

/** The values of a column in certain records of a resource. */
export interface Among {
  readonly resource: string;
  readonly column: string;
  /** Only records with these values count. */
  readonly where: Readonly<Record<string, readonly string[]>>;
}

/** The rule in words: "`user_id` of one of the `memberships` with `status` active". */
export const saysAmong = ({ resource, column, where }: Among): string =>
  `\`${column}\` of one of the \`${resource}\` with ${conditionsOf(where).join(' and ')}`;

/** The problem of a value that no record has. @param to the name of the resource whose record is missing */
export const notPresent = (column: string, to: string, value: string): Problem =>
  problemFor('23503', {
    message: `${column} must name a record of ${to}, and ${value} names none`,
    details: `Key (${column})=(${value}) is not present in table "${to}".`,
  });

/** The same for a value that must be one of the values of another column. */
export const notAmong = (column: string, among: Among, value: string): Problem => ({
  ...notPresent(column, among.resource, value),
  hint: `${column} must be the ${saysAmong(among).replaceAll('`', '')}.`,
});
