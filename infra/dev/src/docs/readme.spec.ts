import { describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectFolder } from '../processes/app.js';
import { settingsTable } from './settings-table.js';

const read = (path: string): string => readFileSync(join(projectFolder, path), 'utf8');

const cells = (markdown: string): string[] =>
  markdown
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^[|\s-]+$/.test(line))
    .map((line) => line.replace(/\s+/g, ' '));

const pages = ['.', 'docs', 'docs/adr', 'examples'].flatMap((folder) =>
  readdirSync(join(projectFolder, folder))
    .filter((file) => file.endsWith('.md'))
    .map((file) => join(folder, file)),
);

describe('README.md', () => {
  it('has every setting; `npm run generate` writes the table', () => {
    const table = /<!-- settings: [^>]*-->([^]*?)<!-- end -->/.exec(read('README.md'))?.[1] ?? '';
    expect(cells(table)).toEqual(cells(settingsTable()));
  });

  it('is no wall of text', () => {
    expect(read('README.md').split('\n').length).toBeLessThan(160);
  });
});

const sources = ['libs', 'apps'].flatMap((folder) =>
  readdirSync(join(projectFolder, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /^[^/]+\/src\/.*(?<!\.spec)\.ts$/.test(file) && !file.includes('/testing/'))
    .map((file) => join(folder, file)),
);

describe('docs/api.md', () => {
  it('names every error code that the sources raise', () => {
    const raised = sources.flatMap((file) =>
      [...read(file).matchAll(/'(PGRST\d{3}|PM\d{3})'/g)].map(([, code = '']) => code),
    );
    const named = read('docs/api.md');
    expect([...new Set(raised)].filter((code) => !named.includes(`\`${code}\``))).toEqual([]);
  });
});

describe('the pages of the docs', () => {
  it.each(pages)('%s links to what there is', (page) => {
    const links = [...read(page).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map(
      ([, path = '']) => path,
    );
    const missing = links.filter((path) => !existsSync(join(projectFolder, dirname(page), path)));
    expect(missing).toEqual([]);
  });
});
