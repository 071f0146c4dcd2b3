import type { Catalog } from '@practice/resource';
import { noOptions } from '../parse/query-options.js';
import type { ParsedRequest } from '../parse/request.js';
import { optionsOfEmbeds } from '../plan/node-options.js';
import { planRelation } from '../plan/relation.js';
import type { EmbedPath, SemiJoinKeys } from '../plan/semi-join-keys.js';
import type { Subquery } from '../plan/subplan.js';

/**
 * The part of a request that reads one relation, as a query of its own.
 * @param path the path to the relation, as in a composition
 * @throws {Error} if the request embeds nothing at this path
 */
export function subqueryAt(
  { resource, options: urlOptions, preferences }: ParsedRequest,
  path: EmbedPath,
  catalog: Catalog,
): Subquery {
  const { timezone, asOf } = preferences;
  const old = preferences.read === 'replica' && { mayBeOld: true };
  let at: Subquery = {
    resource,
    options: urlOptions,
    depth: 0,
    key: 'id',
    isToOne: false,
    isSpread: false,
    ...{ timezone, asOf, ...old },
  };
  for (const position of path) {
    const [item, inner] = optionsOfEmbeds({ ...at.options, depth: at.depth })[position] ?? [];
    const parent = catalog.readable.get(at.resource);
    if (item === undefined || inner === undefined || parent === undefined)
      throw new Error(`nothing is embedded at ${path.join('.')}`);
    const { resource: related, there, isToOne } = planRelation(parent, item, catalog);
    const { depth, ...own } = inner;
    const options = { ...noOptions, ...own };
    at = {
      resource: related.name,
      options,
      depth,
      key: there,
      isToOne,
      isSpread: item.spread,
      ...{ timezone, asOf, ...old },
    };
  }
  return at;
}

/** The keys of embeds below a path, with their own paths made relative to it. */
export const keysBelow = (keys: readonly SemiJoinKeys[], path: EmbedPath): readonly SemiJoinKeys[] =>
  keys
    .filter((known) => known.path.length > path.length && path.every((at, depth) => known.path[depth] === at))
    .map((known) => ({ ...known, path: known.path.slice(path.length) }));
