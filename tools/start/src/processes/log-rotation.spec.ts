import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { closeSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLog } from '@practice/operator';
import { giveUpLogs, rotateLogs } from './log-rotation.js';

let folder: string;
let file: string;
let log: number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'practice-logs-'));
  file = join(folder, 'program.log');
  log = openLog(file);
});

afterEach(() => {
  closeSync(log);
  rmSync(folder, { recursive: true });
});

describe('the logs of programs that run', () => {
  it('are put aside when they have grown large, and the programs continue to write', () => {
    writeSync(log, 'first\n');
    rotateLogs(folder, 10);
    expect(existsSync(`${file}.1`)).toBe(false);
    writeSync(log, 'second\n');
    rotateLogs(folder, 10);
    writeSync(log, 'third\n');
    expect(readFileSync(`${file}.1`, 'utf8')).toBe('first\nsecond\n');
    expect(readFileSync(file, 'utf8')).toBe('third\n');
    expect(statSync(`${file}.1`).mode & 0o777).toBe(0o600);
  });

  it('are deleted or emptied when the disk is full, unless they are small', () => {
    writeSync(log, 'first of all\n');
    rotateLogs(folder, 10);
    writeSync(log, 'second\n');
    giveUpLogs(folder);
    expect([existsSync(`${file}.1`), readFileSync(file, 'utf8')]).toEqual([false, 'second\n']);
    writeSync(log, '.'.repeat(2 * 1024 * 1024));
    giveUpLogs(folder);
    writeSync(log, 'third\n');
    expect(readFileSync(file, 'utf8')).toBe('third\n');
  });
});
