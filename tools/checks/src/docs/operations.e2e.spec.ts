import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { projectFolder } from '@practice/operator';
import { npmRun } from '@practice/testing';

const handbook = readFileSync(join(projectFolder, 'docs', 'operations.md'), 'utf8');

/** Commands that change nothing, so that they can run here, each with its output. */
const harmless: Readonly<Record<string, RegExp>> = {
  'keys list': /signs/,
  'events lag': /^SUBSCRIPTION +PENDING/m,
  'events dead-letters': /^There are no dead letters\.|^ID +SINCE/m,
};

describe('docs/operations.md', () => {
  it('names only commands that exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')) as {
      scripts: Readonly<Record<string, string>>;
    };
    const named = [...handbook.matchAll(/npm run ([a-z-]+)/g)].map(([, script = '']) => script);
    expect(named.filter((script) => !(script in scripts))).toEqual([]);
  });

  it('names commands that print the described output on a running system', async () => {
    const printed = await Promise.all(
      Object.keys(harmless).map(async (command) => {
        const [name = '', ...args] = command.split(' ');
        return { command, ...(await npmRun(name, args)) };
      }),
    );
    for (const { command, status, output } of printed)
      expect({ command, status, output }).toEqual({
        command,
        status: 0,
        output: expect.stringMatching(harmless[command] as RegExp),
      });
  });
});
