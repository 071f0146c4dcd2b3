import { catalogue, type MetricDefinition } from './catalogue.js';

/** The catalogue in Markdown: a list for each kind of process, with the labels behind the name. The name ends in the unit. */
export function metricsList(): string {
  const groups = new Map<string, string[]>();
  for (const [name, { from, help, labels }] of Object.entries<MetricDefinition>(catalogue)) {
    const labelled = labels.length === 0 ? '' : ` \`{${labels.join(', ')}}\``;
    groups.set(from, [...(groups.get(from) ?? []), `- \`${name}\`${labelled}: ${help}`]);
  }
  return [...groups]
    .map(([from, items]) => [`## Exported by: ${from}`, '', ...items].join('\n'))
    .join('\n\n');
}
