// Which methods the paths of the auth API have, read from its controllers.

import { routesOf } from '../openapi/routes.js';
import { accountControllers } from './accounts.js';

interface AccountPath {
  readonly pattern: RegExp;
  readonly methods: readonly string[];
}

const paths: readonly AccountPath[] = pathsOf();

/** The methods at a path, as `Allow` lists them; undefined where there is no such path. */
export function accountMethods(path: string): string | undefined {
  const methods = paths.filter(({ pattern }) => pattern.test(path)).flatMap((found) => found.methods);
  return methods.length === 0 ? undefined : ['OPTIONS', ...new Set(methods)].join(',');
}

function pathsOf(): AccountPath[] {
  return routesOf(accountControllers).map(({ method, path }) => ({
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    methods: method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()],
  }));
}
