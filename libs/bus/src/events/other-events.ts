import { catalog, type EventType } from '@practice/contracts';

/** The event types that belong to no resource, as a Markdown list. docs/resources.md lists the others. */
export function otherEvents(eventTypes: readonly EventType[]): string {
  const ofResources = new Set([...catalog.resources.values()].map(({ aggregate }) => aggregate));
  const items = new Map<string, string[]>();
  for (const { service, aggregate, type } of eventTypes) {
    if (ofResources.has(aggregate)) continue;
    const key = `- ${service}, \`${aggregate}\``;
    items.set(key, [...(items.get(key) ?? []), type]);
  }
  return [...items].map(([key, types]) => `${key}: ${types.join(', ')}`).join('\n');
}
