// A definition as a section of docs/resources.md.

import { practiceRoles } from '@practice/core';
import { accessOf, entries, methodsOf, rulesOf, saysAmong } from '@practice/resource';
import type { Access, Catalog, Column, EventShape, Resource } from '@practice/resource';
import { levelOf, levelOfColumn } from './protection.js';

/** Columns of every resource, described once at the top of the page. */
const STANDARD = ['id', 'therapist_id', 'created_at', 'updated_at'];

/** A resource as Markdown: who owns it, what each role may do, its columns with their rules, its rules about many records, its relations and events. */
export function referenceOf(resource: Resource, catalog: Catalog): string {
  return [
    `${resource.description} Service: ${resource.service}. ${listedMethods(resource)} ${protectionOf(resource)}`,
    rolesTable(resource),
    columnsTable(resource),
    ...listOf('Rules about many records:', manyRecordRules(resource)),
    ...listOf('Relations, for embedding and checked on write:', relationsOf(resource, catalog)),
    eventsTable(resource),
  ].join('\n\n');
}

const listedMethods = (resource: Resource): string =>
  resource.appendOnly === true || resource.changeOnly === true || resource.readOnly === true
    ? `Methods: ${methodsOf(resource).join(', ')}.`
    : 'Methods: all.';

function protectionOf(resource: Resource): string {
  const restricted = own(resource).filter(([, column]) => levelOfColumn(resource, column) === 'restricted');
  const columns = restricted.length === 0 ? '' : `; ${quoted(restricted.map(([name]) => name))}: restricted`;
  return `[Protection level](data-protection.md): ${levelOf(resource)}${columns}.`;
}

const listOf = (title: string, items: readonly string[]): string[] =>
  items.length === 0 ? [] : [`${title}\n\n${items.map((item) => `- ${item}`).join('\n')}`];

const row = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

const own = (resource: Resource): (readonly [string, Column])[] =>
  entries(resource.columns).filter(([name, { internal }]) => internal !== true && !STANDARD.includes(name));

function rolesTable(resource: Resource): string {
  const rows = practiceRoles.map((role) => {
    const { may, hidden } = accessOf(resource, role);
    return row([`\`${role}\``, mayDo(resource, may), quoted([...hidden])]);
  });
  return [row(['role', 'may', 'does not see']), row(['---', '---', '---']), ...rows].join('\n');
}

const verbs = { read: 'GET', create: 'POST', change: 'PATCH', delete: 'DELETE' } as const;

type Verb = keyof typeof verbs;

const verbsOf: Record<Access, readonly Verb[]> = {
  none: [],
  read: ['read'],
  write: ['read', 'create', 'change'],
  delete: ['read', 'create', 'change', 'delete'],
};

/** The rights of a role, as far as the resource has methods for them. */
function mayDo(resource: Resource, may: Access): string {
  const methods = methodsOf(resource);
  return verbsOf[may].filter((verb) => methods.includes(verbs[verb])).join(', ') || 'nothing';
}

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
  const { maxLength, references, among, confidential, lowerCase, description } = column;
  const rules = [
    ...rulesOf(column).map(({ says }) => says),
    ...(lowerCase === true ? ['converted to lower case'] : []),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(references === undefined ? [] : [`a record of \`${references}\``]),
    ...(among === undefined ? [] : [saysAmong(among)]),
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
  if (typeof shape === 'string') {
    const hidden = Object.values(columns).some(({ confidential }) => confidential === true);
    const held =
      shape === 'created' ? 'the record' : 'what an undo has set back: all of the record if it was deleted';
    return hidden ? `${held}, without its texts` : held;
  }
  return `the changed ones of ${quoted(shape.filter(isPublic))}`;
}

const quoted = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');
