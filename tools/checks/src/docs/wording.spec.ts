import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { projectFolder } from '@practice/operator';

interface Rules {
  readonly findings: (text: string) => readonly { readonly found: string }[];
}
interface Words {
  readonly phrases: readonly { readonly pattern: RegExp; readonly example: string }[];
}
interface Report {
  readonly diagnostics: readonly { readonly code: string; readonly filename: string }[];
}

const load = async <T>(file: string): Promise<T> =>
  (await import(join(projectFolder, 'tools', 'lint', file))) as T;
const { findings } = await load<Rules>('prose.mjs');
const { phrases } = await load<Words>('words.mjs');

const folder = mkdtempSync(join(tmpdir(), 'practice-lint-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The rules that each file violates, with the tree's configuration. Rules that read types are left out. */
async function violations(files: Readonly<Record<string, string>>): Promise<Record<string, string[]>> {
  const config = readFileSync(join(projectFolder, '.oxlintrc.json'), 'utf8')
    .replaceAll('"./', `"${projectFolder}/`)
    .replace('"typeAware": true', '"typeAware": false');
  for (const [path, content] of Object.entries({ ...files, '.oxlintrc.json': config })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  const program = join(projectFolder, 'node_modules', 'oxlint', 'bin', 'oxlint');
  const output = await new Promise<string>((done) => {
    execFile(process.execPath, [program, '--format', 'json'], { cwd: folder }, (_, text) => done(text));
  });
  const { diagnostics } = JSON.parse(output) as Report;
  const codesOf = (path: string): string[] =>
    diagnostics.filter(({ filename }) => filename === path).map(({ code }) => code);
  return Object.fromEntries(Object.keys(files).map((path) => [path, codesOf(path)]));
}

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
});

it('the linter checks comments, strings, templates, identifiers by their parts, and names of files and folders', async () => {
  expect(
    await violations({
      'libs/core/src/comment.ts': '// its own records alone\nexport const a = 1;',
      'libs/core/src/string.ts': 'throw new Error("nobody is called so");',
      'libs/core/src/template.ts': 'it(`is told of ${1}`, () => 1);',
      'libs/core/src/identifier.ts': 'export const laneOf = 1;',
      'libs/core/src/words.ts': 'export const [alone, planeOf] = [1, 2];',
      'libs/bus/src/lanes.ts': 'export const a = 1;',
      'apps/gateway/src/door/response.ts': 'export const a = 1;',
    }),
  ).toEqual({
    'libs/core/src/comment.ts': ['prose(plain-english)'],
    'libs/core/src/string.ts': ['prose(plain-english)'],
    'libs/core/src/template.ts': ['prose(plain-english)'],
    'libs/core/src/identifier.ts': ['prose(own-words)'],
    'libs/core/src/words.ts': [],
    'libs/bus/src/lanes.ts': ['prose(own-words)'],
    'apps/gateway/src/door/response.ts': ['prose(own-words)'],
  });
});

it('the linter allows at most three parameters, and requires `type` for imports of types, except in files that Nest reads', async () => {
  const four = '(a: number, b: number, c: number, d: number)';
  expect(
    await violations({
      'libs/core/src/function.ts': `export function sum${four} {\n  return a + b + c + d;\n}`,
      'libs/core/src/arrow.ts': `export const sum = ${four} => a + b + c + d;`,
      'libs/core/src/method.ts': `export class A {\n  sum${four} {\n    return a + b + c + d;\n  }\n}`,
      'libs/core/src/callback.ts': `export const sum = of(${four} => a + b + c + d);`,
      'libs/core/src/type.ts': "import { A } from './a.js';\nexport type B = A;",
      'libs/core/src/typeof.ts': "import { A } from './a.js';\nexport type B = typeof A;",
      'libs/core/src/value.ts': "import { A } from './a.js';\nexport const b: A = new A();",
      'libs/core/src/again.ts': "import { A } from './a.js';\nexport { A };",
      'libs/core/src/nest.ts':
        "import { A } from './a.js';\n@C()\nexport class B {\n  constructor(readonly a: A) {}\n}",
    }),
  ).toEqual({
    'libs/core/src/function.ts': ['house(few-parameters)'],
    'libs/core/src/arrow.ts': ['house(few-parameters)'],
    'libs/core/src/method.ts': ['house(few-parameters)'],
    'libs/core/src/callback.ts': [],
    'libs/core/src/type.ts': ['house(type-imports)'],
    'libs/core/src/typeof.ts': ['house(type-imports)'],
    'libs/core/src/value.ts': [],
    'libs/core/src/again.ts': [],
    'libs/core/src/nest.ts': [],
  });
});
