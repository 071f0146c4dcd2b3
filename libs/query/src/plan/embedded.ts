import { shownBy, type Catalog, type Resource } from '@practice/resource';
import type { SelectItem } from '../parse/select.js';
import { otherEnd, relationsNamed } from './relation.js';

/**
 * The names of all resources whose records a select embeds, at every depth. An ambiguous embed adds every resource that it may
 * name.
 */
export function embeddedResources(
  resource: Resource,
  select: readonly SelectItem[],
  catalog: Catalog,
): readonly string[] {
  const names = new Set<string>();
  for (const item of select) {
    if (item.kind !== 'embed') continue;
    for (const relation of relationsNamed(resource, item, catalog)) {
      const related = catalog.readable.get(otherEnd(relation, resource.name)) as Resource;
      names.add(shownBy(related));
      for (const name of embeddedResources(related, item.select, catalog)) names.add(name);
    }
  }
  return [...names];
}
