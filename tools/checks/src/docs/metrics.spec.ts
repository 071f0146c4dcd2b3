import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogue, metricsList } from '@practice/metrics';
import { projectFolder } from '@practice/operator';

const items = (markdown: string): string[] => markdown.split('\n').filter((line) => line !== '');

describe('docs/metrics.md', () => {
  it('lists every metric (`npm run generate` writes the list)', () => {
    const page = readFileSync(join(projectFolder, 'docs/metrics.md'), 'utf8');
    const list = /<!-- metrics: [^>]*-->([^]*?)<!-- end -->/.exec(page)?.[1] ?? '';
    expect(items(list)).toEqual(items(metricsList()));
  });
});

describe('the catalogue of metrics', () => {
  it.each(Object.entries(catalogue))(
    '%s has the unit in its name, as Prometheus recommends',
    (name, { kind }) => {
      expect(name).toMatch(
        kind === 'counter' ? /_total$/ : kind === 'histogram' ? /_(seconds|size)$/ : /[a-z]$/,
      );
    },
  );
});
