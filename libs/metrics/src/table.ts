import { catalogue } from './catalogue.js';
import type { MetricDefinition } from './catalogue.js';

/** The catalogue as a table in Markdown. */
export function metricsTable(): string {
  const rows = Object.entries<MetricDefinition>(catalogue).map(
    ([name, { kind, from, help, labels }]) =>
      `| \`${name}\` | ${kind} | ${from} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help} |`,
  );
  return [
    '| metric | kind | exported by | labels | meaning |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}
