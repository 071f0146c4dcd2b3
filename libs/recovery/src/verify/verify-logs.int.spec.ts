import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { allSteps } from '@practice/core';
import { appendAll, openPractice, sharedTables, type NewEvent } from '@practice/log';
import { scratchService, systemMetadata, type ScratchService } from '@practice/testing';
import { join } from 'node:path';
import type { Client } from 'pg';
import { verifyLogs } from './verify-logs.js';

const practices = Array.from({ length: 40 }, () => randomUUID());
const [first, second, third, large] = practices as [string, string, string, string];
const LARGE = 9000;
let log: ScratchService;
let admin: Client;

const lit = (): NewEvent => ({
  ...{ type: 'LampLit', lifecycle: { created: ['LampLit'], deleted: [] }, data: { brightness: 1 } },
  ...{ aggregate: 'lamp', streamId: randomUUID(), version: 1, schemaVersion: 1 },
  metadata: systemMetadata(),
  recordedAt: '2026-05-01T08:00:00+00:00',
});

const eventsOf = (practice: string): number => (practice === large ? LARGE : 3);

beforeAll(async () => {
  log = await scratchService(sharedTables);
  admin = await log.connect();
  for (const therapistId of practices) {
    const opened = openPractice(log.service, therapistId);
    const events = Array.from({ length: eventsOf(therapistId) }, lit);
    const appended = allSteps(appendAll(log.service, [{ therapistId, position: 0, events }]));
    for (const { text, values } of [opened, appended]) await admin.query(text, values as unknown[]);
  }
});

afterAll(() => log.drop());

const verify = () => verifyLogs({ service: log.service, url: log.url('relay') });

/** Runs the verify program of a service on the database at `url`. */
function program(url: string): Promise<{ status: number | null; output: string }> {
  const run = `import(${JSON.stringify(join(import.meta.dirname, '../../dist/commands/run-verify.js'))}).then((m) => m.runVerify('${log.service}', []))`;
  const child = spawn(process.execPath, ['-e', run], {
    env: { RELAY_DATABASE_URL: url, NATS_URL: 'nats://127.0.0.1:1' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => (output += data.toString()));
  return new Promise((done) => child.on('exit', (status) => done({ status, output })));
}

describe('the logs of all practices', () => {
  it('are checked to the last event, and the progress is reported', async () => {
    const seen: number[] = [];
    const total = 39 * 3 + LARGE;
    const onProgress = (done: number, of: number): void => {
      expect(of).toBe(total);
      seen.push(done);
    };
    const report = await verifyLogs({ service: log.service, url: log.url('relay'), onProgress });
    expect(report).toEqual({ practices: 40, events: total, broken: [] });
    expect(seen.length).toBeGreaterThan(2);
    expect(seen.at(-1)).toBe(total);
    expect(await program(log.url('relay'))).toEqual({
      status: 0,
      output: `${log.service}: checked ${total} events of 40 practices: intact\n`,
    });
  });

  it('are listed with their first broken position if they are broken', async () => {
    const { service } = log;
    await admin.query('BEGIN');
    const damage = (sql: string, ...values: unknown[]) =>
      admin.query(sql.replaceAll('@', `${service}.`), values);
    await damage('UPDATE @events SET data = $2 WHERE therapist_id = $1 AND position = 2', first, '{}');
    await damage('DELETE FROM @practice_head WHERE therapist_id = $1', second);
    await damage('DELETE FROM @events WHERE therapist_id = $1', third);
    for (const position of [LARGE, 4000, 8001])
      await damage('DELETE FROM @events WHERE therapist_id = $1 AND position = $2', large, position);
    await admin.query('COMMIT');
    const broken = [
      { therapistId: first, position: 2 },
      { therapistId: second, position: 1 },
      { therapistId: third, position: 1 },
      { therapistId: large, position: 4000 },
    ];
    const report = await verify();
    const byId = (one: { therapistId: string }, other: { therapistId: string }): number =>
      one.therapistId < other.therapistId ? -1 : 1;
    expect([...report.broken].sort(byId)).toEqual(broken.sort(byId));
    const { status, output } = await program(log.url('relay'));
    expect(status).toBe(1);
    expect(output).toContain(`${service}: the log of practice ${large} is broken at position 4000\n`);
    expect(output).toContain('4 broken\n');
  });

  it('are not reported as intact if they cannot be read', async () => {
    const { status, output } = await program(`${log.url('relay')}-of-another-database`);
    expect(status).toBe(2);
    expect(output).toContain(`${log.service}: could not check the log: `);
  });
});
