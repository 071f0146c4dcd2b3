// Columns and arguments as a list in docs/resources.md and docs/functions.md.

import { isRequired, rulesOf, saysAmong, type Column } from '@practice/resource';

/** One item for each column: its type, what happens if it is omitted, its rules and its meaning. */
export const columnList = (columns: readonly (readonly [string, Column])[]): string =>
  columns
    .map(
      ([name, column]) =>
        `- \`${name}\` (${[typeOf(column), ...ifOmitted(column)].join(', ')})${about(column)}`,
    )
    .join('\n');

/** All times of day are without a zone and all timestamps with one. */
const typeOf = ({ kind }: Column): string => kind.sqlType.replace(/ with(out)? time zone$/, '');

/** Nothing stands for null. */
function ifOmitted(column: Column): string[] {
  const { requiredUnless, default: preset } = column;
  if (requiredUnless !== undefined) return [`required without \`${requiredUnless}\``];
  if (isRequired(column)) return ['required'];
  if (preset === undefined) return [];
  return [`default \`${typeof preset === 'string' ? preset : JSON.stringify(preset)}\``];
}

function about(column: Column): string {
  const { maxLength, references, among, confidential, lowerCase, description } = column;
  const rules = [
    ...rulesOf(column).map(({ says }) => says),
    ...(lowerCase === true ? ['converted to lower case'] : []),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(references === undefined ? [] : [`a record of \`${references}\``]),
    ...(among === undefined ? [] : [saysAmong(among)]),
    ...(confidential === true ? ['not in events'] : []),
  ].join('; ');
  const parts = [rules, description ?? ''].filter((part) => part !== '');
  return parts.length === 0 ? '' : `: ${parts.join('. ')}`;
}
