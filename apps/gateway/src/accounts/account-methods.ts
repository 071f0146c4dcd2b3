import { accountRoutes } from '@practice/contracts';
import type { AccountRoute } from '@practice/contracts';

const paths = accountRoutes
  .filter(({ method }: AccountRoute) => method !== 'ALL')
  .map(({ method, path }) => ({
    pattern: new RegExp(`^/auth/v1/${path.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`),
    methods: method === 'GET' ? ['GET', 'HEAD'] : [method],
  }));

/** The methods of a path of the auth API, as the `Allow` header lists them; undefined when the path does not exist. */
export function accountMethods(path: string): string | undefined {
  const methods = paths.filter(({ pattern }) => pattern.test(path)).flatMap((found) => found.methods);
  return methods.length === 0 ? undefined : ['OPTIONS', ...new Set(methods)].join(',');
}
