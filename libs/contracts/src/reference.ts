// A definition as a section of docs/resources.md.

import { practiceRoles } from '@practice/core';
import { accessOf, entries, methodsOf } from '@practice/resource';
import type { Access, Catalog, Column, Lock, Resource } from '@practice/resource';
import { columnList } from './column-list.js';
import { levelOf, levelOfColumn } from './protection.js';

/** Columns of every resource, described once at the top of the page. */
const STANDARD = ['id', 'therapist_id', 'created_at', 'updated_at'];

/** Hidden with every hidden column, as the head of the page explains. */
const SHOWS_CHANGES = ['updated_at', 'version'];

/** A resource as Markdown: its owner, the rights of each role, its columns with their rules, its relations and events. */
export function referenceOf(resource: Resource, catalog: Catalog): string {
  return [
    resource.description,
    `Service: ${resource.service}.${listedMethods(resource)} ${protectionOf(resource)} Rights: ${rightsOf(resource)}.`,
    columnList(own(resource)),
    ...manyRecordRules(resource),
    ...relationsOf(resource, catalog),
    `Events: ${eventsOf(resource)}.`,
  ].join('\n\n');
}

const listedMethods = (resource: Resource): string =>
  resource.appendOnly === true || resource.changeOnly === true || resource.readOnly === true
    ? ` Methods: ${methodsOf(resource).join(', ')}.`
    : '';

function protectionOf(resource: Resource): string {
  const restricted = own(resource).filter(([, column]) => levelOfColumn(resource, column) === 'restricted');
  const columns = restricted.length === 0 ? '' : `; ${quoted(restricted.map(([name]) => name))}: restricted`;
  return `Level: ${levelOf(resource)}${columns}.`;
}

const own = (resource: Resource): (readonly [string, Column])[] =>
  entries(resource.columns).filter(([name, { internal }]) => internal !== true && !STANDARD.includes(name));

/** Roles with the same rights are named together, roles without any are left out. */
function rightsOf(resource: Resource): string {
  const groups = new Map<string, string[]>();
  for (const role of practiceRoles) {
    const { may, hidden, of } = accessOf(resource, role);
    const names = [...hidden].filter((name) => !SHOWS_CHANGES.includes(name));
    const some = of === undefined ? '' : ` if \`${of}\` names the caller`;
    const rights = mayDo(resource, may) + (names.length === 0 ? '' : ` without ${quoted(names)}`) + some;
    if (may !== 'none') groups.set(rights, [...(groups.get(rights) ?? []), role]);
  }
  return [...groups].map(([rights, roles]) => `${quoted(roles)} ${rights}`).join('; ');
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

function manyRecordRules({ uniques = [], exclusions = [], locked }: Resource): string[] {
  return [
    ...(locked === undefined
      ? []
      : [`${finalOf(locked)} are final: every write is 409 \`${locked.problem.code}\`.`]),
    ...uniques
      .filter(({ problem }) => problem === undefined)
      .map(({ columns }) => `${quoted(columns)} are unique together: 409 \`23505\`.`),
    ...exclusions.map(({ problem: { code, message, hint } }) =>
      `409 \`${code}\`: ${message}. ${hint ?? ''}`.trim(),
    ),
  ];
}

const finalOf = ({ where }: Lock): string =>
  `Records with ${Object.entries(where)
    .map(([name, values]) => `\`${name}\` ${values.join(' or ')}`)
    .join(' and ')}`;

function relationsOf({ name }: Resource, { relations }: Catalog): string[] {
  const all = [
    ...relations.filter(({ from }) => from === name).map(({ column, to }) => `\`${column}\` → \`${to}\``),
    ...relations
      .filter(({ to }) => to === name)
      .map(({ from, column }) => `referenced by \`${from}.${column}\``),
  ];
  return all.length === 0 ? [] : [`Relations: ${all.join(', ')}.`];
}

/** Creations, deletions and undos by name; other events with the columns that they can change. */
function eventsOf(resource: Resource): string {
  const isPublic = (name: string): boolean =>
    resource.columns[name]?.confidential !== true && resource.columns[name]?.internal !== true;
  return Object.entries(resource.events)
    .map(([type, shape]) =>
      typeof shape === 'string' ? type : `${type} (${quoted(shape.filter(isPublic))})`,
    )
    .join(', ');
}

const quoted = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');
