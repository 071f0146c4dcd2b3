import type { EventType } from '@practice/contracts';

/** The event types as a table of Markdown: one row per aggregate. */
export function catalogueTable(eventTypes: readonly EventType[]): string {
  const rows = new Map<string, string[]>();
  for (const { service, aggregate, type } of eventTypes) {
    const key = `| ${service} | \`${aggregate}\` |`;
    rows.set(key, [...(rows.get(key) ?? []), type]);
  }
  const lines = [...rows].map(([key, types]) => `${key} ${types.join(', ')} |`);
  return ['| service | aggregate | events |', '| --- | --- | --- |', ...lines].join('\n');
}
