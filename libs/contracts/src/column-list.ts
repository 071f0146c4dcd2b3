// Columns and arguments as a list in docs/resources.md and docs/functions.md.

import { isRequired, rulesOf, saysAmong, type Column } from '@practice/resource';

/** One item for each column: its type, what happens if it is omitted, its rules and its meaning. Columns with the same text share one. */
export function columnList(columns: readonly (readonly [string, Column])[]): string {
  const items: { readonly names: string[]; readonly text: string }[] = [];
  for (const [name, column] of columns) {
    const text = `(${[typeOf(column), ...ifOmitted(column)].join(', ')})${about(column)}`;
    const last = items.at(-1);
    if (last?.text === text) last.names.push(`\`${name}\``);
    else items.push({ names: [`\`${name}\``], text });
  }
  return items.map(({ names, text }) => `- ${names.join(', ')} ${text}`).join('\n');
}

/** With the length and the resource that it refers to. All times of day are without a zone and all timestamps with one. */
function typeOf({ kind, maxLength, references }: Column): string {
  const type = kind.sqlType.replace(/ with(out)? time zone$/, '');
  const length = maxLength === undefined ? '' : `(${maxLength})`;
  return `${type}${length}${references === undefined ? '' : ` → \`${references}\``}`;
}

/** The head of docs/resources.md says that booleans and amounts are so at first. */
const isNothing = (preset: unknown): boolean => preset === false || preset === '0.00';

/** Nothing stands for null. */
function ifOmitted(column: Column): string[] {
  const { requiredUnless, default: preset } = column;
  if (requiredUnless !== undefined) return [`required without \`${requiredUnless}\``];
  if (isRequired(column)) return ['required'];
  if (preset === undefined || isNothing(preset)) return [];
  return [`default \`${typeof preset === 'string' ? preset : JSON.stringify(preset)}\``];
}

/** Arguments in one line, without their meaning: names, types, what happens if one is omitted, and rules. */
export const columnLine = (columns: readonly (readonly [string, Column])[]): string =>
  columns
    .map(([name, column]) => {
      const type = [typeOf(column), ...ifOmitted(column), ...rulesFor(column)];
      return `\`${name}\` (${type.join(', ')})`;
    })
    .join('; ');

function about(column: Column): string {
  const parts = [rulesFor(column).join('; '), column.description ?? ''].filter((part) => part !== '');
  return parts.length === 0 ? '' : `: ${parts.join('. ')}`;
}

function rulesFor(column: Column): string[] {
  const { among, lowerCase } = column;
  return [
    ...rulesOf(column).map(({ says }) =>
      says.replace(/^must be |^must (?=not )/, '').replace(/^not be /, 'not '),
    ),
    ...(lowerCase === true ? ['converted to lower case'] : []),
    ...(among === undefined ? [] : [saysAmong(among)]),
  ];
}
