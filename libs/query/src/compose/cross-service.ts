// Whether a request is one for composition at all: asked of every request that might be, so it plans nothing.

import { Rejection } from '@practice/core';
import type { Catalog, Resource } from '@practice/resource';
import { parametersOf } from '../parse/query-string.js';
import { parseSelect } from '../parse/select.js';
import type { SelectItem } from '../parse/select.js';
import { planRelation } from '../plan/relation.js';

/**
 * Whether a request embeds records of another service than the one that owns its resource. Where the select cannot be
 * read, or names no relation, whoever plans the request will say so.
 * @param query raw, without the `?`
 */
export function isCrossService(resource: Resource, query: string, catalog: Catalog): boolean {
  if (!mayEmbed(query)) return false;
  try {
    const select = parametersOf(query).find(({ key }) => key === 'select');
    return select !== undefined && leavesService(resource, parseSelect(select.value), catalog);
  } catch (error) {
    if (error instanceof Rejection) return true;
    throw error;
  }
}

/** Without a parenthesis behind it no select embeds anything. */
function mayEmbed(query: string): boolean {
  const at = query.indexOf('select=');
  return at >= 0 && (query.includes('(', at) || query.includes('%28', at));
}

const leavesService = (resource: Resource, select: readonly SelectItem[], catalog: Catalog): boolean =>
  select.some((item) => {
    if (item.kind !== 'embed') return false;
    const related = planRelation(resource, item, catalog).resource;
    return related.service !== resource.service || leavesService(related, item.select, catalog);
  });
