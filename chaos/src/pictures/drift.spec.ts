// docs/pictures belongs to the dashboards as they are.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { readDashboards } from '@practice/dev';
import { fileNameOf } from './recording.js';
import { escapeXml } from './xml.js';

const docs = join(import.meta.dirname, '..', '..', '..', 'docs');
const rows = readDashboards().flatMap(({ name, title, rows: all }) =>
  all.map((row) => ({ ...row, dashboard: title, file: fileNameOf(name, row.title) })),
);

it.each(rows)(
  'docs/pictures/$file has every panel; `npm run pictures` draws it',
  ({ dashboard, title, panels, file }) => {
    const svg = readFileSync(join(docs, 'pictures', file), 'utf8');
    const titles = [...svg.matchAll(/<text [^>]*font-size="1[35]"[^>]*>([^<]*)<\/text>/g)].map(
      ([, text]) => text,
    );
    const wanted = [`${dashboard}: ${title}`, ...panels.map((panel) => panel.title)].map(escapeXml);
    expect(titles.filter((text) => text !== 'no data')).toEqual(wanted);
  },
);

it('docs/operations.md shows each picture', () => {
  const files = rows.map(({ file }) => file).toSorted();
  expect(readdirSync(join(docs, 'pictures')).toSorted()).toEqual(files);
  const shown = [
    ...readFileSync(join(docs, 'operations.md'), 'utf8').matchAll(/]\(pictures\/([\w-]+\.svg)\)/g),
  ];
  expect(shown.map(([, file]) => file).toSorted()).toEqual(files);
});
