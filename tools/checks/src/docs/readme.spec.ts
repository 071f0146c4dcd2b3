import { describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectFolder } from '@practice/operator';
import { settingsList } from '@practice/generate';

const read = (path: string): string => readFileSync(join(projectFolder, path), 'utf8');

const items = (markdown: string): string[] => markdown.split('\n').filter((line) => line !== '');

const pages = ['.', 'docs', 'docs/adr', 'docs/api', 'examples'].flatMap((folder) =>
  readdirSync(join(projectFolder, folder))
    .filter((file) => file.endsWith('.md'))
    .map((file) => join(folder, file)),
);

describe('README.md', () => {
  it('lists every setting (`npm run generate` writes the list)', () => {
    const list = /<!-- settings: [^>]*-->([^]*?)<!-- end -->/.exec(read('README.md'))?.[1] ?? '';
    expect(items(list)).toEqual(items(settingsList()));
  });

  it('shows the subscriber that is tested', () => {
    const [, shown = ''] = /```ts\n([^]*?)```/.exec(read('README.md')) ?? [];
    expect(shown).toBe(read('libs/bus/src/events/subscriber.example.ts'));
  });
});

const files = ['libs', 'apps', 'infra', 'tools'].flatMap((folder) =>
  readdirSync(join(projectFolder, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => !/node_modules|dist/.test(file))
    .map((file) => `/${folder}/${file}`),
);

describe('the pages of the docs', () => {
  it.each([
    'docs/architecture.md',
    'docs/recipes.md',
    'docs/operations.md',
    'docs/adr/0001-head-row-per-practice.md',
  ])('%s names only files and folders that exist', (page) => {
    const named = [...read(page).matchAll(/`([\w./-]+)`/g)]
      .map(([, path = '']) => path.replace(/\/$/, ''))
      .filter((path) => path.endsWith('.ts') || /^(libs|apps|infra|tools)\//.test(path));
    expect(named.filter((path) => !files.some((file) => file.endsWith(`/${path}`)))).toEqual([]);
  });

  it.each(pages)('%s links only to files that exist', (page) => {
    const links = [...read(page).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map(
      ([, path = '']) => path,
    );
    const missing = links.filter((path) => !existsSync(join(projectFolder, dirname(page), path)));
    expect(missing).toEqual([]);
  });
});
