import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { npmRun } from '@practice/testing';

const path = join(tmpdir(), `never-started-${process.pid}`);

describe('a command on a system that was never started', () => {
  it.each([
    ['keys', ['list']],
    ['keys', ['rotate']],
    ['projections', ['rebuild', 'scheduling', '--check']],
    ['events', ['republish', 'scheduling']],
  ])('%s %j prints the reason and creates nothing', async (name, args) => {
    const { status, output } = await npmRun(name, args, path);
    expect({ status, output }).toEqual({
      status: 1,
      output: `DATA_DIR=${path} contains no data. Start the system once with npm start.\n`,
    });
    expect(existsSync(path)).toBe(false);
  });

  it('keys rotate-personal refuses a process that has no keys', async () => {
    const { status, output } = await npmRun('keys', ['rotate-personal', 'live'], path);
    expect([status, output]).toEqual([
      1,
      expect.stringMatching(/^There is no service live: there are clients, /),
    ]);
  });

  it.each([[['verify']], [['erase-practice', 'id']]])('log %j exits with status 2', async (args) => {
    const { status, output } = await npmRun('log', args, path);
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
    const { status, output } = await npmRun('events', args, path);
    expect({ status, output }).toEqual({ status: 1, output: `${reason}\n` });
    expect(existsSync(path)).toBe(false);
  });
});
