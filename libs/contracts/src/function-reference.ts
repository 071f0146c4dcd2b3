// The functions as sections of docs/functions.md.

import { entries, isRequired, rulesOf, servicesOf } from '@practice/resource';
import type { Column, Columns, FunctionDefinition } from '@practice/resource';

/** Every function as Markdown: what it does, who may call it, its arguments and its result. */
export const functionsReference = (all: readonly FunctionDefinition[]): string =>
  [...all]
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .map(referenceOf)
    .join('\n\n');

function referenceOf(definition: FunctionDefinition): string {
  const { name, description, arguments: given, returns } = definition;
  return [
    `## ${name}`,
    `${description} ${whoCarriesOut(definition)} ${methodsOf(definition)} ${whoMayCall(definition)}`,
    Object.keys(given).length === 0 ? 'Arguments: none.' : table('argument', given, ifOmitted),
    returns.kind === 'nothing'
      ? 'Returns: nothing (204).'
      : `Returns: ${returns.kind === 'rows' ? 'rows' : 'one object'}.\n\n${table('column', returns.columns, mayBeNull)}`,
  ].join('\n\n');
}

const whoCarriesOut = (definition: FunctionDefinition): string => {
  const services = servicesOf(definition);
  return `${services.length === 1 ? 'Service' : 'Services'}: ${services.join(', ')}.`;
};

const methodsOf = ({ effect }: FunctionDefinition): string =>
  effect === 'reads' ? 'Methods: POST, GET, HEAD.' : 'Methods: POST.';

const whoMayCall = ({ roles, needsSession }: FunctionDefinition): string =>
  `Roles: ${roles.join(', ')}${needsSession === true ? '; only with a signed-in session' : ''}.`;

interface Shown {
  readonly title: string;
  readonly of: (column: Column) => string;
}

const ifOmitted: Shown = {
  title: 'if omitted',
  of: (column) =>
    isRequired(column)
      ? '**required**'
      : column.default === undefined
        ? 'null'
        : `\`${String(column.default)}\``,
};
const mayBeNull: Shown = { title: 'null', of: ({ nullable }) => (nullable ? 'yes' : 'no') };

function table(first: string, columns: Columns, { title, of }: Shown): string {
  const row = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [
    row([first, 'type', title, 'rules']),
    row(['---', '---', '---', '---']),
    ...entries(columns).map(([name, column]) =>
      row([`\`${name}\``, column.kind.sqlType, of(column), about(column)]),
    ),
  ].join('\n');
}

const about = (column: Column): string =>
  [
    [
      ...rulesOf(column).map(({ says }) => says),
      ...(column.maxLength === undefined ? [] : [`at most ${column.maxLength} characters`]),
    ].join('; '),
    column.description ?? '',
  ]
    .filter((part) => part !== '')
    .join('. ');
