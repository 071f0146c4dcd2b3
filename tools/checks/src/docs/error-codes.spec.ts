import { describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCatalog, errorRows, errorsList, type ErrorRow } from '@practice/core';
import { projectFolder } from '@practice/operator';

const rows: Readonly<Record<string, ErrorRow>> = errorCatalog;

/**
 * Whether a source is read. Not read are specs and their helpers, the catalogue itself, and the file that passes on errors of
 * Postgres with any code.
 */
const isRead = (path: string): boolean =>
  path.endsWith('.ts') &&
  !/\.spec\.ts$|[\\/]testing[\\/]|error-catalog\.ts$|response[\\/]database\.ts$/.test(path);

const packages = ['libs', 'apps'].flatMap((folder) =>
  readdirSync(join(projectFolder, folder))
    // The operator answers no requests.
    .filter((name) => name !== 'operator')
    .map((name) => join(folder, name, 'src')),
);

const sources = packages
  .filter((folder) => existsSync(join(projectFolder, folder)))
  .flatMap((folder) =>
    readdirSync(join(projectFolder, folder), { encoding: 'utf8', recursive: true }).map((path) =>
      join(folder, path),
    ),
  )
  .filter(isRead)
  .map((path) => ({ path, text: readFileSync(join(projectFolder, path), 'utf8') }));

/** Codes of PostgREST and this product, and SQLSTATEs of the classes that a caller can cause. */
const CODE = /'(PM\d{3}|PGRST\d{3}|(?:0A|2[1-5]|42|57|XX)[0-9A-Z]{3}|insufficient_aal)'/g;

const raised = new Set(sources.flatMap(({ text }) => [...text.matchAll(CODE)].map(([, code]) => code)));

const items = (markdown: string): string[] => markdown.split('\n').filter((line) => line !== '');

describe('the catalogue of error codes', () => {
  it('has a row for every code that the sources name', () => {
    expect([...raised].filter((code) => !(String(code) in rows))).toEqual([]);
  });

  it('has no code that no source raises', () => {
    expect(errorRows.map(([code]) => code).filter((code) => !raised.has(code))).toEqual([]);
  });

  it('gives each code its status, so no source repeats it', () => {
    const repeated = sources.flatMap(({ path, text }) =>
      [...text.matchAll(/status: \d{3},\s+code: '(\w+)'/g)].map(([, code = '']) => ({ path, code })),
    );
    expect(repeated.length).toBeGreaterThan(0);
    expect(repeated.filter(({ code }) => code in rows)).toEqual([]);
  });

  it('matches the list in docs, which `npm run generate` writes', () => {
    const page = readFileSync(join(projectFolder, 'docs/api/errors.md'), 'utf8');
    const list = /<!-- error codes: [^>]*-->([^]*?)<!-- end -->/.exec(page)?.[1] ?? '';
    expect(items(list)).toEqual(items(errorsList()));
  });
});
