// Whether the response to a request has records of several services. This is checked for every request, so it plans nothing.

import { areReadApart, type Catalog, type Resource } from '@practice/resource';
import type { SelectItem } from '../parse/select.js';
import { otherEnd, relationsNamed } from '../plan/relation.js';

/**
 * Whether a select embeds records of a service that does not own the resource. Also true if an embed matches no relation, or
 * several relations: the plan of the request then reports the problem.
 */
export const isCrossService = (
  resource: Resource,
  select: readonly SelectItem[],
  catalog: Catalog,
): boolean =>
  select.some((item) => {
    if (item.kind !== 'embed') return false;
    const [relation, ...others] = relationsNamed(resource, item, catalog);
    const related = relation && catalog.readable.get(otherEnd(relation, resource.name));
    if (related === undefined || others.length > 0) return true;
    return areReadApart(related, resource) || isCrossService(related, item.select, catalog);
  });
