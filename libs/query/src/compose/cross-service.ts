import { Rejection } from '@practice/core';
import type { Catalog, Resource } from '@practice/resource';
import type { SelectItem } from '../parse/select.js';
import { planRelation } from '../plan/relation.js';

/**
 * Whether a select embeds records of another service than the one that owns the resource. This runs for every request,
 * so it plans nothing. A select with an unknown relation counts as one: planning it raises the error.
 */
export function isCrossService(resource: Resource, select: readonly SelectItem[], catalog: Catalog): boolean {
  try {
    return leavesService(resource, select, catalog);
  } catch (error) {
    if (error instanceof Rejection) return true;
    throw error;
  }
}

const leavesService = (resource: Resource, select: readonly SelectItem[], catalog: Catalog): boolean =>
  select.some((item) => {
    if (item.kind !== 'embed') return false;
    const related = planRelation(resource, item, catalog).resource;
    return related.service !== resource.service || leavesService(related, item.select, catalog);
  });
