import { afterAll, describe, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../processes/app.js';
import { runningStack } from '../running-stack.config.js';
import { session, webSocket } from './session.js';

const readme = readFileSync(join(projectFolder, 'README.md'), 'utf8');
const cache = join(projectFolder, 'node_modules', '.cache');
mkdirSync(cache, { recursive: true });
/** A place to stand in as a reader does at the project's root: with `.data`, and what was installed. */
const folder = mkdtempSync(join(cache, 'readme-'));
symlinkSync(runningStack().dataDir, join(folder, '.data'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The code of this language that follows a heading. */
function codeBelow(heading: string, language: string): string {
  const section = readme.split(`\n${heading}\n`)[1]?.split(/\n#{2,3} /)[0] ?? '';
  const [, code] = new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(section) ?? [];
  if (code === undefined) throw new Error(`README has no ${language} below ${heading}`);
  return code;
}

describe('the first session of README.md, as it stands', () => {
  it('works with curl', async () => {
    const { output } = await session('sh', ['-euc', `cd ${folder}\n${codeBelow('### With curl', 'sh')}`]);
    expect(output).toContain('"start_time":"09:00","end_time":"09:50","client_name":"Ada Lovelace"');
    expect(output).toContain('"status":"confirmed"');
  }, 30_000);

  it('works with supabase-js', async () => {
    const file = join(folder, 'session.mjs');
    const code = codeBelow('### With supabase-js', 'js').replaceAll("'.data/", `'${folder}/.data/`);
    writeFileSync(file, code);
    const { status, output } = await session(process.execPath, [...webSocket, file]);
    expect({ status, output }).toMatchObject({ status: 0 });
    expect(output).toContain("client_name: 'Ada Lovelace'");
    expect(output).toContain("name: 'Individual therapy'");
  }, 30_000);
});
