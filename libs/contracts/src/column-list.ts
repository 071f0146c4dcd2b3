// Columns and arguments as a list in docs/resources.md and docs/functions.md.

import { conditionsOf, isRequired, rulesOf, type Among, type Column } from '@practice/resource';

/** One item for each column: its type, what happens if it is omitted, its rules and its meaning. Columns with the same text share one. */
export function columnList(columns: readonly (readonly [string, Column])[]): string {
  const items: { readonly names: string[]; readonly text: string }[] = [];
  for (const [name, column] of columns) {
    const type = [...typeOf(column), ...ifOmitted(column)].join(', ');
    const text = `${type === '' ? '' : ` (${type})`}${about(column)}`;
    const same = items.find((item) => item.text === text);
    if (same !== undefined) same.names.push(`\`${name}\``);
    else items.push({ names: [`\`${name}\``], text });
  }
  return items.map(({ names, text }) => `- ${names.join(', ')}${text}`).join('\n');
}

/**
 * The type with its length, or what a value refers to. Listed values stand for the type. All times of day are without a zone and
 * all timestamps with one.
 */
function typeOf({ kind, maxLength, references, oneOf, among }: Column): string[] {
  if (oneOf !== undefined) return [];
  if (among !== undefined) return [`→ ${chosenFrom(among)}`];
  if (references !== undefined) return [`→ \`${references}\``];
  const type = kind.sqlType.replace(/ with(out)? time zone$/, '');
  return [`${type}${maxLength === undefined ? '' : `(${maxLength})`}`];
}

const chosenFrom = ({ resource, column, where }: Among): string =>
  [`\`${resource}.${column}\``, ...conditionsOf(where)].join(', ');

/** The head of docs/resources.md says that booleans and amounts are so at first. */
const isNothing = (preset: unknown): boolean => preset === false || preset === '0.00';

/** Nothing stands for null. */
function ifOmitted(column: Column): string[] {
  const { requiredUnless, default: preset } = column;
  if (requiredUnless !== undefined) return [`required without \`${requiredUnless}\``];
  if (isRequired(column)) return ['required'];
  if (preset === undefined || isNothing(preset) || column.oneOf !== undefined) return [];
  return [`default \`${typeof preset === 'string' ? preset : JSON.stringify(preset)}\``];
}

/** Arguments in one line, without their meaning: names, with a question mark if they may be omitted, types, defaults and rules. */
export const columnLine = (columns: readonly (readonly [string, Column])[]): string =>
  columns
    .map(([name, column]) => {
      const omitted = ifOmitted(column).filter((text) => text !== 'required');
      const type = [...typeOf(column), ...omitted, ...rulesFor(column)];
      return `\`${name}${isRequired(column) ? '' : '?'}\` (${type.join(', ')})`;
    })
    .join('; ');

function about(column: Column): string {
  const parts = [rulesFor(column).join('; '), column.description ?? ''].filter((part) => part !== '');
  return parts.length === 0 ? '' : `: ${parts.join('. ')}`;
}

/** The head of docs/resources.md says that a list of values has all of them. */
function rulesFor(column: Column): string[] {
  const { oneOf, ...others } = column;
  const { lowerCase, maxBytes, default: preset } = others;
  const values = oneOf?.map((value) => (value === preset ? `${value} (default)` : value)) ?? [];
  return [
    ...(values.length === 0 ? [] : [values.join(', ')]),
    ...rulesOf(others).map(({ says }) =>
      says
        .replace(/^must be (from )?|^must (?=not )/, '')
        .replace(/^not be /, 'not ')
        .replace(`${maxBytes} bytes of JSON`, `${Number(maxBytes) / 1024} KiB`),
    ),
    ...(lowerCase === true ? ['converted to lower case'] : []),
  ];
}
