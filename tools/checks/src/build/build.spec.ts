import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { projectFolder } from '@practice/operator';

const root = mkdtempSync(join(tmpdir(), 'practice-build-'));
const library = join(root, 'libs', 'one');
const mark = join(root, 'tools', 'build', 'dist', 'complete');
const outputs = ['a', 'b'].map((name) => join(library, 'dist', `${name}.js`));

beforeAll(() => {
  mkdirSync(join(library, 'src'), { recursive: true });
  cpSync(join(projectFolder, 'tools', 'build'), join(root, 'tools', 'build'), { recursive: true });
  symlinkSync(join(projectFolder, 'node_modules'), join(root, 'node_modules'));
  rmSync(mark, { force: true });
  writeFileSync(join(root, 'package.json'), '{"type":"module","workspaces":["libs/*"]}');
  writeFileSync(join(library, 'package.json'), '{"type":"module","exports":"./dist/a.js"}');
  for (const name of ['a', 'b'])
    writeFileSync(join(library, 'src', `${name}.ts`), `export const ${name}: number = 1;\n`);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** @returns the number of written files */
const build = (): number =>
  Number(
    execFileSync(process.execPath, [join(root, 'tools', 'build', 'program.mjs')], {
      encoding: 'utf8',
      stdio: 'pipe',
    }),
  );

it('a build compiles changed sources, and every source after a build that was killed', () => {
  expect([build(), build()]).toEqual([2, 0]);
  // A build that is killed leaves an empty file, which is newer than its source.
  const [whole = ''] = outputs.map((path) => readFileSync(path, 'utf8'));
  writeFileSync(outputs[0] ?? '', '');
  rmSync(mark);
  expect([build(), build()]).toEqual([2, 0]);
  expect(readFileSync(outputs[0] ?? '', 'utf8')).toBe(whole);
  writeFileSync(join(library, 'src', 'b.ts'), 'export const b: string = ;\n');
  expect(() => build()).toThrow('Command failed');
  expect(existsSync(mark)).toBe(false);
});
