import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { claim } from '@practice/operator';
import { runFile, runningProcess, runningServers } from './run-file.js';

const folder = mkdtempSync(join(tmpdir(), 'run-file-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('the run file of a system that crashed', () => {
  it('names no running process if a process of another program has the id', async () => {
    runFile.write(folder, {
      ...{ base_url: 'http://127.0.0.1:1', apikey: '', database_urls: {} },
      ...{ nats_url: 'nats://127.0.0.1:2', database_url: 'postgres://127.0.0.1:3/practice' },
      processes: [{ name: 'nats-server', pid: process.pid }],
    });
    expect(runningServers(folder)).toBeUndefined();
    expect(runningProcess(folder, 'nats-server')).toBeUndefined();

    const claimed = await claim(folder);
    claimed.note([process.pid]);
    expect(runningServers(folder)?.adminDatabaseUrl).toBe('postgres://127.0.0.1:3/practice');
    expect(runningProcess(folder, 'nats-server')).toBe(process.pid);
    expect(() => runningServers(folder)?.natsUrl('nobody')).toThrow(/ has no nats_nobody$/);
    claimed.release();
  });
});
