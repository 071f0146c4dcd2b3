import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createLogger } from '@practice/process';
import { CrossTenantConnection } from '@practice/storage';
import { eventually, scratchDatabase, type ScratchDatabase, withClient } from '@practice/testing';
import type { OtherServices } from '../notices/other-services.js';
import { EraseFromBus } from './erasure.controller.js';

const LAST = 'ffffffff-ffff-4fff-bfff-ffffffffffff';
let scratch: ScratchDatabase;
let crossTenant: CrossTenantConnection;

beforeAll(async () => {
  scratch = await scratchDatabase();
  const waiting = Array.from({ length: 100 }, () => `0${randomUUID().slice(1)}`);
  await withClient(scratch.url, async (admin) => {
    await admin.query('CREATE SCHEMA identity');
    await admin.query('CREATE TABLE identity.bus_erasures (therapist_id uuid PRIMARY KEY)');
    await admin.query('INSERT INTO identity.bus_erasures SELECT unnest($1::uuid[])', [[...waiting, LAST]]);
  });
  crossTenant = new CrossTenantConnection('identity', scratch.url, () => undefined);
});

afterAll(async () => {
  await crossTenant.close();
  await scratch.drop();
});

it('a hundred practices that wait for a service do not keep others waiting', async () => {
  const asked: string[] = [];
  const services = {
    hasErased: (_service: string, practice: string) => {
      asked.push(practice);
      return practice === LAST ? Promise.resolve(false) : new Promise(() => undefined);
    },
  };
  const erasing = new EraseFromBus(
    crossTenant,
    services as unknown as OtherServices,
    createLogger('spec', 'silent'),
  );
  await erasing.onApplicationBootstrap();
  await eventually('the last one has its turn', () => asked.includes(LAST));
  erasing.onApplicationShutdown();
  expect(new Set(asked).size).toBe(asked.length);
});
