// The `WWW-Authenticate` of the assistant's endpoint: the access that a client needs, and its source (RFC 6750, RFC 9728).

import type { Problem } from '@practice/core';
import { usualScopes } from './scopes.js';

interface Challenge {
  readonly baseUrl: string;
  /** The missing scope; if omitted, the scopes that assistants usually need. */
  readonly scope?: string;
}

/** A refusal with the address to ask for access, and the scopes to ask for. */
export function challenged(problem: Problem, { baseUrl, scope }: Challenge): Problem {
  const parameters = {
    ...(problem.status === 403 && { error: 'insufficient_scope' }),
    ...(problem.status === 401 && problem.code !== 'PGRST302' && { error: 'invalid_token' }),
    scope: scope ?? usualScopes.join(' '),
    resource_metadata: `${baseUrl}/.well-known/oauth-protected-resource/mcp`,
  };
  const listed = Object.entries(parameters).map(([name, value]) => `${name}="${value}"`);
  return { ...problem, headers: { ...problem.headers, 'WWW-Authenticate': `Bearer ${listed.join(', ')}` } };
}
