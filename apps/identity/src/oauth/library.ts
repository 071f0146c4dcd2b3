// The library of the OAuth server.

import type * as Library from 'oidc-provider';

/**
 * Loads oidc-provider. Commands of the service, which answer no requests, do not need it. The library is made for Node 22 and warns on
 * Node 20. Some versions of Node 20 lack `URL.parse`.
 */
export function oidcProvider(): Promise<typeof Library> {
  URL.parse ??= (url, base) => (URL.canParse(url, base) ? new URL(url, base) : null);
  return import('oidc-provider');
}
