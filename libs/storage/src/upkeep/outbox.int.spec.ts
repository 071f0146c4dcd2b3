import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { sharedTables } from '@practice/log';
import { scratchService, type ScratchService } from '@practice/testing';
import type { Client } from 'pg';
import { CrossTenantConnection } from '../connections/cross-tenant-connection.js';
import { outboxState } from './outbox.js';

let log: ScratchService;
let relay: CrossTenantConnection;
let admin: Client;

beforeEach(async () => {
  log = await scratchService(sharedTables);
  relay = new CrossTenantConnection(log.service, log.url('relay'), () => {});
  admin = await log.connect();
});

afterEach(async () => {
  await relay.close();
  await log.drop();
});

it('an empty outbox has no oldest event', async () => {
  expect(await outboxState(log.service, relay)).toEqual({ events: 0, oldestSeconds: 0 });
});

it('the events that wait are counted, and the first of them is the oldest', async () => {
  for (const [position, minutes] of [
    [1, 10],
    [2, 5],
  ])
    await admin.query(
      `WITH event AS (
         INSERT INTO ${log.service}.events (therapist_id, position, stream_id, version, type, data, aggregate, metadata, recorded_at, schema_version, hash)
         VALUES ($1, $2, gen_random_uuid(), 1, 'LampLit', '{}', 'lamp', '{}', now() - make_interval(mins => $3), 1, ''))
       INSERT INTO ${log.service}.outbox (therapist_id, position) VALUES ($1, $2)`,
      ['00000000-0000-4000-8000-000000000001', position, minutes],
    );

  const { events, oldestSeconds } = await outboxState(log.service, relay);

  expect(events).toBe(2);
  expect(oldestSeconds).toBeGreaterThanOrEqual(600);
  expect(oldestSeconds).toBeLessThan(900);
});
