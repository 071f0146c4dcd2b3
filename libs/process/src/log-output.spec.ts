import { afterAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { constants, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { LogOutput } from './log-output.js';

const folder = mkdtempSync(join(tmpdir(), 'practice-log-output-'));

// The descriptors stay open: an output goes on trying, and the next socket of this process would get the number of a closed descriptor.
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The Linux device on which every write fails as if the disk were full. */
const FULL = '/dev/full';
const onLinux = existsSync(FULL) ? it : it.skip;

describe('the output of log lines', () => {
  onLinux('neither throws nor blocks while the disk is full, and can end', async () => {
    const output = new LogOutput({ fd: openSync(FULL, 'w'), retryMs: 10, onLost: () => undefined });
    for (let line = 0; line < 100; line += 1) output.write(Buffer.from('a line\n'));
    await pause(50);
    output.flushSync();
  });

  it('buffers up to its limit while it cannot write, writes later, and counts dropped lines', async () => {
    // A pipe that no program reads is full after 64 KiB. Then writes fail with EAGAIN.
    const fifo = join(folder, 'fifo');
    expect(spawnSync('mkfifo', [fifo]).status).toBe(0);
    const fd = openSync(fifo, constants.O_RDWR | constants.O_NONBLOCK);
    fill(fd);
    let lost = 0;
    const output = new LogOutput({ fd, most: 14, retryMs: 1, onLost: (lines) => (lost += lines) });
    output.write(Buffer.from('first\n'));
    output.write(Buffer.from('second\n'));
    output.write(Buffer.from('third\nfourth\n'));
    await pause(10);
    expect(lost).toBe(0);
    let read = drain(fd);
    for (const end = Date.now() + 10_000; lost === 0 && Date.now() < end; await pause(1)) read += drain(fd);
    read += drain(fd);
    expect([read.replaceAll('.', ''), lost]).toEqual(['first\nsecond\n', 2]);
  });

  it('writes buffered lines when the process ends', () => {
    const file = join(folder, 'log');
    const output = new LogOutput({ fd: openSync(file, 'a'), onLost: () => undefined });
    output.write(Buffer.from('first\n'));
    output.write(Buffer.from('second\n'));
    output.flushSync();
    expect(readFileSync(file, 'utf8')).toContain('second\n');
  });
});

function fill(fd: number): void {
  for (const size of [4096, 1]) {
    try {
      for (;;) writeSync(fd, Buffer.alloc(size, '.'));
    } catch (error) {
      expect((error as NodeJS.ErrnoException).code).toBe('EAGAIN');
    }
  }
}

function drain(fd: number): string {
  return spawnSync('dd', ['bs=65536', 'count=16', 'iflag=nonblock', 'status=none'], {
    stdio: [fd, 'pipe', 'ignore'],
  }).stdout.toString();
}
