import { describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../processes/app.js';

const folder = join(projectFolder, 'docs');
const page = readFileSync(join(folder, 'asvs.md'), 'utf8');
const { levels } = JSON.parse(
  readFileSync(join(projectFolder, 'infra/dev/src/docs/asvs-requirements.json'), 'utf8'),
) as { readonly levels: Readonly<Record<string, readonly string[]>> };

const rows = [...page.matchAll(/^\| V([\d.]+) +\| (\d) +\| ([a-z ]+?) +\| (.+?) *\|$/gm)].map(
  ([, id = '', level = '', result = '', why = '']) => ({ id, level, result, why }),
);
const linksOf = (text: string): string[] =>
  [...text.matchAll(/\]\(([^)#]+)[^)]*\)/g)]
    .map(([, path = '']) => path)
    .filter((path) => !/^https:/.test(path));
const numberOf = (result: string): number => rows.filter((row) => row.result === result).length;

describe('docs/asvs.md', () => {
  it('lists each requirement of levels 1 and 2 once, with its level', () => {
    const listed = rows.map(({ id, level }) => `${id} at ${level}`).sort();
    const required = Object.entries(levels).flatMap(([level, ids]) => ids.map((id) => `${id} at ${level}`));
    expect(listed).toEqual(required.sort());
    expect(required.length).toBeGreaterThan(250);
  });

  it('gives each a result with a reason; a requirement that is met names a test or code', () => {
    expect(rows.filter(({ result }) => !['met', 'not applicable', 'open'].includes(result))).toEqual([]);
    expect(rows.filter(({ why }) => !/\w{2}/.test(why))).toEqual([]);
    expect(rows.filter(({ result, why }) => result === 'met' && linksOf(why).length === 0)).toEqual([]);
  });

  it('names files that exist', () => {
    const missing = linksOf(page).filter((path) => !existsSync(join(folder, path)));
    expect(missing).toEqual([]);
  });

  it('counts the results', () => {
    const counts = `${numberOf('met')} are met, ${numberOf('not applicable')} do not apply, and ${numberOf('open')} are open`;
    expect(page).toContain(`Of ${rows.length} requirements, ${counts}.`);
  });
});
