import { afterAll, describe, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '@practice/operator';
import { runningStack, welcome } from '@practice/start';
import { session } from '@practice/testing';
import { paste, shells } from '../testing/shells.js';

const stack = runningStack();
const readme = readFileSync(join(projectFolder, 'README.md'), 'utf8');
const env = { DATA_DIR: stack.dataDir };

/** A folder from which the installed packages can be imported. */
const cache = join(projectFolder, 'node_modules', '.cache');
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(join(cache, 'readme-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The code in this language below a heading. */
function codeBelow(heading: string, language: string): string {
  const section = readme.split(`\n${heading}\n`)[1]?.split(/\n#{2,3} /)[0] ?? '';
  const [, code] = new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(section) ?? [];
  if (code === undefined) throw new Error(`README has no ${language} below ${heading}`);
  return code;
}

/** The session that `npm start` prints: the indented lines below its heading. */
function printedSession(): string {
  const [, lines] = /A first session[^\n]*\n\n((?: {2}.*\n)+)/.exec(welcome(stack)) ?? [];
  if (lines === undefined) throw new Error('npm start prints no session');
  return lines;
}

describe.each(shells)('pasted into $name', (shell) => {
  // Without the shell there is nothing to test: `.ci/run` installs both as root, macOS and most Linux systems have them.
  const test = shell.program === undefined ? it.skip : it;

  test('the curl session of README.md works without changes', async () => {
    const { output } = await paste(shell, codeBelow('### With curl', 'sh'), env);
    expect(output).toContain('"start_time":"09:00","end_time":"09:50","client_name":"Ada Lovelace"');
    expect(output).toContain('"status":"confirmed"');
    expect(output).toContain('"role":"front_desk","status":"invited"');
    expect(output).toContain('"event":"AppointmentConfirmed"');
    expect(output).toContain('"is_current":true');
    expect(output).toContain('otpauth://totp/');
    expect(output).not.toMatch(/command not found|no matches found|parse error|"code"/);
  });

  test('the session that npm start prints works without changes', async () => {
    const { output } = await paste(shell, printedSession());
    expect(output).toMatch(/"end_time":"10:00".*"client_name":"Ada"/);
    expect(output).not.toMatch(/command not found|no matches found|parse error|"code"/);
  });
});

describe('the supabase-js session of README.md', () => {
  it('works without changes and without options for Node', async () => {
    const file = join(folder, 'session.mjs');
    writeFileSync(file, codeBelow('### With supabase-js', 'js'));
    const { status, output } = await session(process.execPath, [file], { env });
    expect({ status, output }).toMatchObject({ status: 0 });
    expect(output).toContain("client_name: 'Ada Lovelace'");
    expect(output).toContain("name: 'Individual therapy'");
  });
});
