import { catalogue, type MetricDefinition } from './catalogue.js';

/** The catalogue in Markdown: for each kind of process, a list of metrics with their labels and the first sentence of their help. */
export function metricsList(): string {
  const groups = new Map<string, string[]>();
  for (const [name, { from, help, labels }] of Object.entries<MetricDefinition>(catalogue)) {
    const labelled = labels.length === 0 ? '' : `{${labels.join(',')}}`;
    // The rest of the help is in the output of each process.
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
