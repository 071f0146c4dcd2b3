import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { projectFolder } from '@practice/operator';
import { runningStack } from '@practice/start';
import { session } from '@practice/testing';

const handbook = readFileSync(join(projectFolder, 'docs', 'operations.md'), 'utf8');

/** Commands that change nothing: they run here. The module of each, without the build, and what it prints. */
const harmless: Readonly<Record<string, readonly [string, RegExp]>> = {
  'keys list': ['commands.js', /signs/],
  'events lag': ['events.js', /^SUBSCRIPTION +PENDING/m],
  'events dead-letters': ['events.js', /^There are no dead letters\.|^ID +SINCE/m],
};

describe('docs/operations.md', () => {
  it('names only commands that there are', () => {
    const { scripts } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')) as {
      scripts: Readonly<Record<string, string>>;
    };
    const named = [...handbook.matchAll(/npm run ([a-z-]+)/g)].map(([, script = '']) => script);
    expect(named.filter((script) => !(script in scripts))).toEqual([]);
  });

  it('names commands that print what it says, on a running system', async () => {
    const env = { DATA_DIR: runningStack().dataDir };
    const printed = await Promise.all(
      Object.entries(harmless).map(async ([command, [module]]) => {
        const [name = '', ...args] = command.split(' ');
        const file = join(projectFolder, 'tools', 'start', 'dist', 'commands', module);
        const code = `import(${JSON.stringify(file)}).then((m) => m.${name}(${JSON.stringify(args)}))`;
        return { command, ...(await session(process.execPath, ['-e', code], { env })) };
      }),
    );
    for (const { command, status, output } of printed)
      expect({ command, status, output }).toEqual({
        command,
        status: 0,
        output: expect.stringMatching(harmless[command]?.[1] as RegExp),
      });
  });
});
