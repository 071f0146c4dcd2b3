import type { Catalog } from '@practice/resource';

/** Services in an order in which each service comes before the services that its records refer to, unless references form a cycle. */
export function referrersFirst(services: readonly string[], { resources, relations }: Catalog): string[] {
  const serviceOf = (resource: string): string => resources.get(resource)?.service ?? '';
  const pairs = relations.map(({ from, to }) => [serviceOf(from), serviceOf(to)] as const);
  const left = [...services];
  const ordered: string[] = [];
  while (left.length > 0) {
    const free = left.findIndex((service) =>
      pairs.every(([from, to]) => to !== service || from === service || !left.includes(from)),
    );
    ordered.push(...left.splice(Math.max(free, 0), 1));
  }
  return ordered;
}
