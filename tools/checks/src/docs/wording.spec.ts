import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Linter } from 'eslint';
import type { ESLint } from 'eslint';
import { projectFolder } from '@practice/operator';

interface Rules {
  readonly prose: ESLint.Plugin;
  readonly findings: (text: string) => readonly { readonly found: string }[];
}
interface Words {
  readonly phrases: readonly { readonly pattern: RegExp; readonly example: string }[];
}

const load = async <T>(file: string): Promise<T> =>
  (await import(join(projectFolder, 'tools', 'lint', file))) as T;
const { prose, findings } = await load<Rules>('prose.mjs');
const { phrases } = await load<Words>('words.mjs');

const lint = (code: string, filename = 'libs/core/src/file.js'): string[] =>
  new Linter({ cwd: projectFolder })
    .verify(
      code,
      { plugins: { prose }, rules: { 'prose/plain-english': 'error', 'prose/own-words': 'error' } },
      { filename: join(projectFolder, filename) },
    )
    .map(({ ruleId, line }) => `${ruleId}:${line}`);

describe('the wording rules', () => {
  it.each(phrases.map(({ example, pattern }) => ({ example, pattern: String(pattern) })))(
    'find $pattern',
    ({ example }) => {
      expect(findings(example)).not.toEqual([]);
    },
  );

  it.each([
    'If the key is lost, a new one is created.',
    'Events such as AppointmentScheduled.',
    'What does a column cost?',
    'The gateway recommends an amendment.',
    'Returns the rows that match; there is no limit.',
  ])('accept: %s', (text) => {
    expect(findings(text)).toEqual([]);
  });

  it('check comments, strings, templates and test titles', () => {
    expect(lint('// its own records alone\nconst a = 1;')).toEqual(['prose/plain-english:1']);
    expect(lint('throw new Error("nobody is called so");')).toEqual(['prose/plain-english:1']);
    expect(lint('it(`is told of ${1}`, () => 1);')).toEqual(['prose/plain-english:1']);
    expect(lint('const alone = 1;')).toEqual([]);
  });

  it('check identifiers by their parts, and names of files and folders', () => {
    expect(lint('const laneOf = 1;')).toEqual(['prose/own-words:1']);
    expect(lint('const planeOf = 1;')).toEqual([]);
    expect(lint('1;', 'libs/bus/src/lanes.js')).toEqual(['prose/own-words:1']);
    expect(lint('1;', 'apps/gateway/src/door/response.js')).toEqual(['prose/own-words:1']);
  });
});
