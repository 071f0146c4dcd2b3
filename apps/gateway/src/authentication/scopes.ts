// Enforces the scopes of personal access tokens, on the parsed request: the resource, its method, and all embedded resources.

import { permits } from '@practice/contracts';
import { reject } from '@practice/core';
import type { Identity, Problem } from '@practice/core';
import { resourceShown } from '@practice/query';
import type { Call } from '../parse/parse.js';
import { isRead } from '../parse/parse.js';

const missingScope = (scope: string): Problem => ({
  status: 403,
  code: '42501',
  message: `permission denied: this personal access token lacks the scope ${scope}`,
});

/**
 * Checks that a token may make this request. Sessions, and tokens without scopes, may do what their role may. The owner of a
 * function checks the scopes of its calls.
 * @throws {Rejection} 42501, naming the scope that the token lacks
 */
export function requireScopes({ scopes }: Identity, call: Call): void {
  if (scopes === undefined || call.kind !== 'records') return;
  const name = resourceShown(call.resource);
  const action = isRead(call) ? 'read' : 'write';
  if (!permits(scopes, name, action)) reject(missingScope(`${name}:${action}`));
  const hidden = call.embedded.find((embedded) => !permits(scopes, embedded, 'read'));
  if (hidden !== undefined) reject(missingScope(`${hidden}:read`));
}
