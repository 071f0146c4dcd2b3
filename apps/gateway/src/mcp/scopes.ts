// The reach of an assistant: the scopes of its tools, the rights of its token, and the answer to a token that lacks a scope.

import { catalog, permits } from '@practice/contracts';
import { type Identity, oncePer, type Problem } from '@practice/core';
import { isAllowed, type Resource, shownBy } from '@practice/resource';

/** Scopes that a scope of a token implies for requests that tools make themselves. */
const implied: Readonly<Record<string, readonly string[]>> = {
  'appointments:read': ['rpc:free_slots', 'business_hours:read'],
  'appointments:write': ['appointment_series:write', 'rpc:change_series', 'rpc:free_slots'],
};

/**
 * The identity with which a tool makes the requests whose path it has chosen itself. Each identity has one tool
 * identity, so that it is signed once.
 */
export const toolIdentity = oncePer(new WeakMap<Identity, Identity>(), (identity) => {
  const { scopes } = identity;
  if (scopes === undefined) return identity;
  const more = Object.keys(implied).filter((scope) => holds(identity, scope));
  const functions = scopes.some((scope) => scope.endsWith(':write')) ? ['rpc:undo'] : [];
  const all = [...scopes, ...more.flatMap((scope) => implied[scope] ?? []), ...functions];
  return { ...identity, scopes: [...new Set([...all, 'rpc:search', 'practice_settings:read'])] };
});

/** Resources that an assistant has no use for: addresses outside of the practice, its members, their access, and exports. */
const leftOut = new Set(
  [...catalog.readable.values()]
    .filter(({ name, service }) => (service === 'identity' && name !== 'practices') || service === 'webhooks')
    .map(({ name }) => name),
).add('erasures');

/** Whether an assistant reaches a resource, whatever its scopes. */
export const isReached = (resource: Resource): boolean =>
  !leftOut.has(resource.name) && !leftOut.has(shownBy(resource));

/** Whether a token and its role permit a scope such as `clients:read`. */
export function holds({ scopes, practiceRole }: Identity, scope: string): boolean {
  const [name = '', action] = scope.split(':') as [string, 'read' | 'write'];
  const resource = catalog.readable.get(name);
  if (resource === undefined || !isReached(resource)) return false;
  if (!isAllowed(resource, practiceRole, action)) return false;
  return scopes === undefined || permits(scopes, name, action);
}

/** The resources whose records a caller reads. */
export const readableBy = (identity: Identity): Resource[] =>
  [...catalog.resources.values()].filter(({ name }) => holds(identity, `${name}:read`));

/** Whether a token reads anything. */
export const readsAnything = (identity: Identity): boolean => readableBy(identity).length > 0;

/** Whether a token writes anything. */
export const writesAnything = (identity: Identity): boolean =>
  [...catalog.resources.keys()].some((name) => holds(identity, `${name}:write`));

/** The scopes that the endpoint names to a client without a token: for its usual tools, without session notes. */
export const usualScopes: readonly string[] = [
  ...['appointments', 'clients', 'conversation_log'].flatMap((name) => [`${name}:read`, `${name}:write`]),
  'service_menu:read',
];

/**
 * A refusal with the address to ask for access, and the scopes to ask for, in `WWW-Authenticate` (RFC 6750, RFC 9728).
 * @param scope the missing scope; if omitted, the scopes that assistants usually need
 */
export function challenged(problem: Problem, baseUrl: string, scope = usualScopes.join(' ')): Problem {
  const parameters = {
    ...(problem.status === 403 && { error: 'insufficient_scope' }),
    ...(problem.status === 401 && problem.code !== 'PGRST302' && { error: 'invalid_token' }),
    scope,
    resource_metadata: `${baseUrl}/.well-known/oauth-protected-resource/mcp`,
  };
  const listed = Object.entries(parameters).map(([name, value]) => `${name}="${value}"`);
  return { ...problem, headers: { ...problem.headers, 'WWW-Authenticate': `Bearer ${listed.join(', ')}` } };
}
