// Scopes of personal access tokens and of grants to apps: the part of a person's rights that a token or a grant has.

import type { PracticeRole } from '@practice/core';
import { accessLevels, accessOf } from '@practice/resource';
import { catalog } from '../catalog.js';
import { functions } from '../function-catalog.js';

/** Whether the scopes permit an action on the records of a resource. */
export const permits = (scopes: readonly string[], resource: string, action: 'read' | 'write'): boolean =>
  scopes.some((scope) =>
    [`${resource}:write`, '*:write', ...(action === 'read' ? [`${resource}:read`, '*:read'] : [])].includes(
      scope,
    ),
  );

/** The scopes that permit more than a role. `*` stands for everything that the role may read or write, if there is anything. */
export const scopesBeyond = (role: PracticeRole, scopes: readonly string[]): string[] =>
  scopes.filter((scope) => !isWithin(role, scope));

function isWithin(role: PracticeRole, scope: string): boolean {
  const [subject = '', name = ''] = scope.split(':');
  if (subject === 'rpc') return functions.get(name)?.roles.includes(role) ?? false;
  const needed = accessLevels.indexOf(name === 'write' ? 'write' : 'read');
  const resources = [...catalog.resources.values()].filter((one) => subject === '*' || one.name === subject);
  return resources.some((resource) => accessLevels.indexOf(accessOf(resource, role).may) >= needed);
}

/** A history is read with the scope of its resource. */
const scoped = [...catalog.readable.values()].filter(({ historyOf }) => historyOf === undefined);

/** Every scope: to read, to write where callers may write or delete, and to call the functions that a token may call. */
export const allScopes: readonly string[] = [
  '*:read',
  '*:write',
  ...scoped.flatMap(({ name, readOnly, deletable }) =>
    readOnly === true && deletable !== true ? [`${name}:read`] : [`${name}:read`, `${name}:write`],
  ),
  ...[...functions.values()]
    .filter(({ needsSession }) => needsSession !== true)
    .map(({ name }) => `rpc:${name}`),
];

const known: ReadonlySet<unknown> = new Set(allScopes);

/** Whether a text is a scope: `clients:read`, `clients:write` (which includes reading), `*:read`, `*:write` or `rpc:<function>`. */
export const isScope = (text: unknown): text is string => known.has(text);

/** The scopes, or their subjects, that need separate consent, which is off by default: session notes in any form, and all resources. */
const ASKED_APART: ReadonlySet<string> = new Set([
  ...['*', 'sessions', 'session_addenda', 'private_notes'],
  'rpc:session_drafts',
]);

/** Whether a scope needs separate consent, which names the scope. */
export const isAskedApart = (scope: string): boolean =>
  ASKED_APART.has(scope) || ASKED_APART.has(scope.split(':')[0] ?? '');
