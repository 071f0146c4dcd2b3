// Writes columns and arguments as a list, for docs/resources.md and docs/functions.md.

import { conditionsOf, isRequired, rulesOf, type Among, type Column } from '@practice/resource';

/** A list with an item for each column: its type, its value if omitted, its rules and its meaning. Columns with the same text share an item. */
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
 * The type with its length, or the target of a reference; empty for a column with listed values. The zone is omitted, because all times
 * of day have none and all timestamps have one.
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

/** Whether a default is omitted: docs/resources.md explains at its top that booleans default to false and amounts to 0.00. */
const isNothing = (preset: unknown): boolean => preset === false || preset === '0.00';

/** The text about an omitted column; empty if the value is null. */
function ifOmitted(column: Column): string[] {
  const { requiredUnless, default: preset } = column;
  if (requiredUnless !== undefined) return [`required without \`${requiredUnless}\``];
  if (isRequired(column)) return ['required'];
  if (preset === undefined || isNothing(preset) || column.oneOf !== undefined) return [];
  return [`default \`${typeof preset === 'string' ? preset : JSON.stringify(preset)}\``];
}

/** Arguments in one line, without their meaning: names (with a question mark if they are optional), types, defaults and rules. */
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

/** The rules of a column in words. Listed values are complete, as docs/resources.md explains at its top. */
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
