import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { session } from '@practice/testing';
import { projectFolder } from '@practice/operator';

const path = join(tmpdir(), `never-started-${process.pid}`);

describe('a command on a system that was never started', () => {
  it.each([
    ['keys', ['list']],
    ['keys', ['rotate']],
    ['rebuild', ['scheduling', '--check']],
    ['republish', ['scheduling']],
  ])('%s %j prints the reason and creates nothing', async (name, args) => {
    const commands = join(projectFolder, 'tools', 'start', 'dist', 'commands', 'commands.js');
    const verbs = name === 'keys' ? args : [name, ...args];
    const code = `import(${JSON.stringify(commands)}).then((m) => m.${name}(${JSON.stringify(verbs)}))`;
    const { status, output } = await session(process.execPath, ['-e', code], { env: { DATA_DIR: path } });
    expect({ status, output }).toEqual({
      status: 1,
      output: `DATA_DIR=${path} contains no data. Start the system once with npm start.\n`,
    });
    expect(existsSync(path)).toBe(false);
  });

  it.each([[['verify']], [['erase-practice', 'id']]])('log %j could not, which is status 2', async (args) => {
    const commands = join(projectFolder, 'tools', 'start', 'dist', 'commands', 'log.js');
    const code = `import(${JSON.stringify(commands)}).then((m) => m.log(${JSON.stringify(args)}))`;
    const { status, output } = await session(process.execPath, ['-e', code], { env: { DATA_DIR: path } });
    expect({ status, output }).toEqual({
      status: 2,
      output: `DATA_DIR=${path} contains no data. Start the system once with npm start.\n`,
    });
    expect(existsSync(path)).toBe(false);
  });

  it.each([
    [['lag'], 'The system is not running. Start it with npm start.'],
    [['dead-letters'], 'The system is not running. Start it with npm start.'],
    [['user', 'reminders'], `There is no data folder ${path}. Start the system once first.`],
    [['user', 'list'], `There is no data folder ${path}. Start the system once first.`],
  ])('events %j prints the reason and creates nothing', async (args, reason) => {
    const commands = join(projectFolder, 'tools', 'start', 'dist', 'commands', 'events.js');
    const code = `import(${JSON.stringify(commands)}).then((m) => m.events(${JSON.stringify(args)}))`;
    const { status, output } = await session(process.execPath, ['-e', code], { env: { DATA_DIR: path } });
    expect({ status, output }).toEqual({ status: 1, output: `${reason}\n` });
    expect(existsSync(path)).toBe(false);
  });
});
