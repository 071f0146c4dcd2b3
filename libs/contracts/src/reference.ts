// Writes a definition as a section of docs/resources.md.

import { practiceRoles } from '@practice/core';
import {
  accessOf,
  conditionsOf,
  entries,
  isConfidential,
  methodsOf,
  STANDARD_COLUMNS,
} from '@practice/resource';
import type { Access, Column, Lock, Resource } from '@practice/resource';
import { columnList } from './column-list.js';

/** Columns of every resource whose records may be imported; docs/api/writing.md describes them. */
const IMPORTED = ['external_id', 'metadata'];

/** Columns that are hidden together with any other hidden column, as the page explains at its top. */
const SHOWS_CHANGES = ['updated_at', 'version'];

/** A resource as Markdown: its owner, the rights of each role, its columns with their rules and relations, and its events. */
export function referenceOf(resource: Resource): string {
  return [
    resource.description,
    `Service: ${resource.service}.${protectionOf(resource)} Rights: ${rightsOf(resource)}.`,
    columnList(own(resource)) + (isImported(resource) ? IMPORTS : ''),
    ...transitionsOf(resource),
    ...manyRecordRules(resource),
    `\`${resource.aggregate}\` events: ${Object.keys(resource.events).join(', ')}.`,
  ].join('\n\n');
}

/** The level of protection, see docs/data-protection.md, and the columns that events omit, which are _restricted_ in other records. */
function protectionOf(resource: Resource): string {
  const confidential = own(resource).filter(([, column]) => column.confidential === true);
  const columns = quoted(confidential.map(([name]) => name));
  return [
    ...(isConfidential(resource) ? [' Level: clinical.'] : []),
    ...(columns === '' ? [] : [` Not in events: ${columns}.`]),
  ].join('');
}

const own = (resource: Resource): (readonly [string, Column])[] =>
  entries(resource.columns).filter(
    ([name, { internal }]) =>
      internal !== true &&
      !STANDARD_COLUMNS.includes(name) &&
      !(isImported(resource) && IMPORTED.includes(name)),
  );

const isImported = ({ columns }: Resource): boolean => IMPORTED.every((name) => name in columns);

const IMPORTS = '\n- [`external_id`, `metadata`](api/writing.md#records-of-another-system)';

/** The rights by role. Roles with the same rights are named together, the last group as the others; roles without rights are left out. */
function rightsOf(resource: Resource): string {
  const groups = new Map<string, string[]>();
  for (const role of practiceRoles) {
    const { may, hidden, of } = accessOf(resource, role);
    const names = [...hidden].filter((name) => !SHOWS_CHANGES.includes(name));
    const some = of === undefined ? '' : ` if \`${of}\` names the caller`;
    const rights = mayDo(resource, may) + (names.length === 0 ? '' : ` without ${quoted(names)}`) + some;
    if (may !== 'none') groups.set(rights, [...(groups.get(rights) ?? []), role]);
  }
  const isEvery = [...groups.values()].flat().length === practiceRoles.length;
  return [...groups]
    .map(([rights, roles], index) =>
      isEvery && index > 0 && index === groups.size - 1 && roles.length > 1
        ? `the others ${rights}`
        : `${quoted(roles)} ${rights}`,
    )
    .join('; ');
}

const verbs = { read: 'GET', create: 'POST', change: 'PATCH', delete: 'DELETE' } as const;

const verbsOf: Record<Access, readonly (keyof typeof verbs)[]> = {
  none: [],
  read: ['read'],
  write: ['read', 'create', 'change'],
  delete: ['read', 'create', 'change', 'delete'],
};

/** The rights of a role, without rights for which the resource has no method. */
function mayDo(resource: Resource, may: Access): string {
  const methods = methodsOf(resource);
  const rights = verbsOf[may].filter((verb) => methods.includes(verbs[verb]));
  return rights.length === Object.keys(verbs).length ? 'all' : rights.join(', ') || 'nothing';
}

/** The changes of `status` that callers may make. */
function transitionsOf({ transitions = {} }: Resource): string[] {
  const ways = Object.entries(transitions)
    .map(([from, following]) => [from, Object.keys(following).join(', ')])
    .filter(([, following]) => following !== '')
    .map(([from, following]) => `- from ${from} to ${following}`);
  const head = 'Changes of `status`. Every other one is 409, such as `PM001`.';
  return ways.length === 0 ? [] : [head, ways.join('\n')];
}

function manyRecordRules(resource: Resource): string[] {
  const { uniques = [], exclusions = [], locked } = resource;
  return [
    ...(locked === undefined
      ? []
      : [`${finalOf(locked)} are final: every write is 409 \`${locked.problem.code}\`.`]),
    ...uniques
      .filter(
        ({ problem, columns }) =>
          problem === undefined &&
          !(isImported(resource) && columns.every((name) => IMPORTED.includes(name))),
      )
      .map(({ columns }) => `Unique: ${quoted(columns)}.`),
    ...exclusions.map(({ problem: { code, message, hint } }) =>
      `409 \`${code}\`: ${message}. ${hint ?? ''}`.trim(),
    ),
  ];
}

const finalOf = ({ where }: Lock): string => `Records with ${conditionsOf(where).join(' and ')}`;

const quoted = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');
