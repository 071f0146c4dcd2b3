import { readingRoles } from '@practice/contracts';
import { problemFor, reject, type Identity, type Problem } from '@practice/core';
import type { FunctionDefinition } from '@practice/resource';

/** @throws {Rejection} 42501 unless the caller's role, token and session allow the call */
export function checkPermission(definition: FunctionDefinition, caller: Identity): void {
  const { name, roles, needsSession, needsNoScope, effect } = definition;
  const own = effect === 'reads' ? readingRoles(caller) : [caller.practiceRole];
  if (!own.some((role) => roles.includes(role)))
    reject(denied(name, `The role ${own.join(' or ')} may not call it.`));
  if (needsSession === true && caller.sessionId === undefined)
    reject(denied(name, 'Only a signed-in session may call it.'));
  if (caller.scopes !== undefined && needsNoScope !== true && !isInScope(definition, caller.scopes))
    reject(denied(name, `The token needs the scope rpc:${name}.`));
}

const isInScope = ({ name, effect }: FunctionDefinition, scopes: readonly string[]): boolean =>
  [`rpc:${name}`, '*:write', ...(effect === 'reads' ? ['*:read'] : [])].some((scope) =>
    scopes.includes(scope),
  );

const denied = (name: string, details: string): Problem =>
  problemFor('42501', { message: `permission denied for function ${name}`, details });
