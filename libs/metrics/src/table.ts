import { catalogue, type MetricDefinition } from './catalogue.js';

/** The catalogue in Markdown: a list for each kind of process, with the labels behind the name, and the first sentence of the help. The name ends in the unit. */
export function metricsList(): string {
  const groups = new Map<string, string[]>();
  for (const [name, { from, help, labels }] of Object.entries<MetricDefinition>(catalogue)) {
    const labelled = labels.length === 0 ? '' : `{${labels.join(',')}}`;
    // The output of each process has the rest.
    const [meaning] = help.split('. ');
    groups.set(from, [
      ...(groups.get(from) ?? []),
      `- \`${name}${labelled}\`: ${meaning?.replace(/\.$/, '')}`,
    ]);
  }
  return [...groups]
    .map(([from, items]) => [`## ${from[0]?.toUpperCase()}${from.slice(1)}`, '', ...items].join('\n'))
    .join('\n\n');
}
