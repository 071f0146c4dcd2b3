// `/readyz` of a process whose events do not reach the stream: nothing relays the outbox of this log.

import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { sharedTables } from '@practice/log';
import { eventually, scratchService, type ScratchService } from '@practice/testing';
import type { Client } from 'pg';
import { CrossTenantConnection } from '../connections/cross-tenant-connection.js';
import { serveHealth, Troubles, type Listening } from '@practice/process';
import { OLD_SECONDS, watchOutbox } from './watch-outbox.js';

const PRACTICE = '00000000-0000-4000-8000-000000000001';

let log: ScratchService;
let crossTenant: CrossTenantConnection;
let admin: Client;
let health: Listening;
let stop: () => void;
let warnings: unknown[];

beforeEach(async () => {
  log = await scratchService(sharedTables);
  crossTenant = new CrossTenantConnection(log.service, log.url('relay'), () => {});
  admin = await log.connect();
  warnings = [];
  const troubles = new Troubles();
  const logger = { warn: (...line: unknown[]) => void warnings.push(line) };
  stop = watchOutbox({ service: log.service, crossTenant, troubles, logger, everyMs: 10 });
  health = await serveHealth({
    ...{ host: '127.0.0.1', port: 0, troubles: () => troubles.all() },
    isReady: () => Promise.resolve(true),
  });
});

afterEach(async () => {
  stop();
  await health.close();
  await crossTenant.close();
  await log.drop();
});

const ready = async (): Promise<{ status: string; troubles?: unknown }> => {
  const answer = await fetch(`${health.url}/readyz`);
  expect(answer.status).toBe(200);
  return (await answer.json()) as { status: string };
};

/** Adds a waiting event that was recorded this many seconds ago. */
const waitFor = (position: number, seconds: number): Promise<unknown> =>
  admin.query(
    `WITH event AS (
       INSERT INTO ${log.service}.events (therapist_id, position, stream_id, version, type, data, aggregate, metadata, recorded_at, schema_version, hash)
       VALUES ($1, $2, gen_random_uuid(), 1, 'LampLit', '{}', 'lamp', '{}', now() - make_interval(secs => $3), 1, ''))
     INSERT INTO ${log.service}.outbox (therapist_id, position) VALUES ($1, $2)`,
    [PRACTICE, position, seconds],
  );

it('the process is degraded while an event has waited for more than a minute, and names the outbox', async () => {
  expect(OLD_SECONDS).toBe(60);
  await waitFor(1, OLD_SECONDS + 1);
  await eventually('it is degraded', async () => (await ready()).status === 'degraded');
  expect((await ready()).troubles).toEqual([
    { place: 'outbox', problem: 'an event has waited for the stream for more than 60 s' },
  ]);

  await admin.query(`DELETE FROM ${log.service}.outbox`);
  // An event that has just been recorded is no trouble.
  await waitFor(2, 0);
  await eventually('it is well again', async () => (await ready()).status === 'ok');
});

it('the process stays degraded while it cannot read the outbox', async () => {
  await waitFor(1, OLD_SECONDS + 1);
  await eventually('it is degraded', async () => (await ready()).status === 'degraded');
  await admin.query(`ALTER TABLE ${log.service}.outbox RENAME TO hidden`);
  await eventually('it has tried to look', () => warnings.length > 0);
  expect((await ready()).status).toBe('degraded');
});
