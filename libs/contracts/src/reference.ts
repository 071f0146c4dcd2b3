// A definition as a section of docs/resources.md.

import { entries, rulesOf } from '@practice/resource';
import type { Catalog, Column, EventShape, Resource } from '@practice/resource';

/** Columns of every resource, described once at the top of the page. */
const STANDARD = ['id', 'therapist_id', 'created_at', 'updated_at'];

/** A resource as Markdown: who owns it, its columns with their rules, its rules about many records, its relations and events. */
export function referenceOf(resource: Resource, catalog: Catalog): string {
  return [
    `${resource.description} Service: ${resource.service}. ${methodsOf(resource)}`,
    columnsTable(resource),
    ...listOf('Rules about many records:', manyRecordRules(resource)),
    ...listOf('Relations, for embedding and checked on write:', relationsOf(resource, catalog)),
    eventsTable(resource),
  ].join('\n\n');
}

const methodsOf = ({ appendOnly }: Resource): string =>
  appendOnly === true ? 'Methods: GET, HEAD, POST.' : 'Methods: all.';

const listOf = (title: string, items: readonly string[]): string[] =>
  items.length === 0 ? [] : [`${title}\n\n${items.map((item) => `- ${item}`).join('\n')}`];

const row = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

const own = (resource: Resource): (readonly [string, Column])[] =>
  entries(resource.columns).filter(([name, { internal }]) => internal !== true && !STANDARD.includes(name));

function columnsTable(resource: Resource): string {
  const rows = own(resource).map(([name, column]) =>
    row([`\`${name}\``, column.kind.sqlType, onCreate(column), about(column)]),
  );
  return [row(['column', 'type', 'if omitted', 'rules']), row(['---', '---', '---', '---']), ...rows].join(
    '\n',
  );
}

function onCreate({ required, requiredUnless, default: preset }: Column): string {
  if (required === true) return '**required**';
  if (requiredUnless !== undefined) return `**required** unless \`${requiredUnless}\` is given`;
  return preset === undefined
    ? 'null'
    : `\`${typeof preset === 'string' ? preset : JSON.stringify(preset)}\``;
}

function about(column: Column): string {
  const { maxLength, references, confidential, lowerCase, description } = column;
  const rules = [
    ...rulesOf(column).map(({ says }) => says),
    ...(lowerCase === true ? ['converted to lower case'] : []),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(references === undefined ? [] : [`a record of \`${references}\``]),
    ...(confidential === true ? ['not in events'] : []),
  ].join('; ');
  return [rules, description ?? ''].filter((part) => part !== '').join('. ');
}

function manyRecordRules({ uniques = [], exclusions = [] }: Resource): string[] {
  return [
    ...uniques
      .filter(({ problem }) => problem === undefined)
      .map(({ columns }) => `${quoted(columns)} are unique together: 409 \`23505\``),
    ...exclusions.map(({ problem: { code, message, hint } }) =>
      `409 \`${code}\`, ${message}. ${hint ?? ''}`.trim(),
    ),
  ];
}

function relationsOf({ name }: Resource, { relations }: Catalog): string[] {
  return [
    ...relations.filter(({ from }) => from === name).map(({ column, to }) => `\`${column}\` → \`${to}\``),
    ...relations
      .filter(({ to }) => to === name)
      .map(({ from, column }) => `referenced by \`${from}.${column}\``),
  ];
}

function eventsTable(resource: Resource): string {
  const rows = Object.entries(resource.events).map(([type, shape]) => row([type, dataOf(resource, shape)]));
  return [row(['event', 'data']), row(['---', '---']), ...rows].join('\n');
}

function dataOf({ columns }: Resource, shape: EventShape): string {
  if (shape === 'deleted') return 'none';
  const isPublic = (name: string): boolean =>
    columns[name]?.confidential !== true && columns[name]?.internal !== true;
  if (shape === 'created') {
    const hidden = Object.values(columns).some(({ confidential }) => confidential === true);
    return hidden ? 'the record without its texts' : 'the record';
  }
  return `the changed ones of ${quoted(shape.filter(isPublic))}`;
}

const quoted = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');
