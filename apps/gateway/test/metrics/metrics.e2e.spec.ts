// The metrics of every process of a running system: their names, values that follow real requests, and labels without values of
// callers.

import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { catalogue, type MetricDefinition } from '@practice/metrics';
import {
  answered,
  call,
  eventually,
  metric,
  metricsTargets,
  newPractice,
  samplesIn,
  scrapeText,
  stack,
  sumOf,
} from '@practice/testing';
import type { Practice, Sample } from '@practice/testing';

const definitions: [string, MetricDefinition][] = Object.entries(catalogue);

const exporters: Readonly<Record<MetricDefinition['from'], (service: string) => boolean>> = {
  gateway: (service) => service === 'gateway',
  supervisor: (service) => service === 'supervisor',
  live: (service) => service === 'live',
  webhooks: (service) => service === 'webhooks',
  services: (service) => !['gateway', 'live', 'supervisor'].includes(service),
  'gateway and services': (service) => service !== 'supervisor',
  'every process': () => true,
};

const http = (labels: Sample['labels']): Promise<number> =>
  metric('gateway', 'practice_http_request_duration_seconds_count', labels);

const newClient = ({ rest }: Practice, name: string) =>
  rest('clients', { method: 'POST', body: { name }, headers: { prefer: 'return=representation' } });

describe('the metrics of a process', () => {
  it.each([
    'gateway',
    'live',
    'identity',
    'scheduling',
    'clients',
    'clinical-notes',
    'finance',
    'webhooks',
    'supervisor',
  ])('are the ones in the catalogue: %s', async (service) => {
    const target = metricsTargets().find((one) => one.service === service);
    const text = await scrapeText(target?.address ?? '');
    const exported = [...text.matchAll(/^# TYPE (practice_\w+) (\w+)$/gm)].map(([, name, kind]) => ({
      name,
      kind,
    }));
    const listed = definitions
      .filter(([, { from }]) => exporters[from](service))
      .map(([name, { kind }]) => ({ name, kind }));
    const byName = (one: { name?: string | undefined }, other: { name?: string | undefined }) =>
      String(one.name).localeCompare(String(other.name));
    expect(exported.sort(byName)).toEqual(listed.sort(byName));
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m);
    expect(text).toMatch(/^# TYPE nodejs_gc_duration_seconds histogram/m);
    expect(text).toMatch(/^process_resident_memory_bytes /m);
  });

  it('are not on the port of the API', async () => {
    expect((await call('/metrics')).status).toBe(404);
    const [target] = metricsTargets();
    expect((await fetch(`http://${target?.address}/livez`)).status).toBe(404);
    expect(metricsTargets().every(({ address }) => address.startsWith('127.0.0.1:'))).toBe(true);
  });
});

describe('metrics follow', () => {
  it('a read, in the gateway, over NATS, in the service and in Postgres', async () => {
    const { rest } = await newPractice();
    const route = { route: '/rest/v1/*', resource: 'expenses', method: 'GET', status: '200' };
    const values = () =>
      Promise.all([
        http(route),
        metric('gateway', 'practice_nats_request_duration_seconds_count', {
          to: 'finance',
          outcome: 'answered',
        }),
        metric('finance', 'practice_service_request_duration_seconds_count', {
          resource: 'expenses',
          operation: 'GET',
          status: '200',
        }),
        metric('finance', 'practice_postgres_read_duration_seconds_count', { connection: 'shared' }),
      ]);
    const before = await values();
    for (let reads = 0; reads < 5; reads += 1) await answered('a read', () => rest('expenses'));
    const after = await values();
    for (const [index, value] of after.entries())
      expect(value - (before[index] ?? 0)).toBeGreaterThanOrEqual(5);
  });

  it('the messages of requests, on a connection of the service that carries no events', async () => {
    const { rest } = await newPractice();
    const values = () =>
      Promise.all(
        ['in', 'out'].map((direction) => metric('finance', 'practice_nats_messages_total', { direction })),
      );
    const before = await values();
    for (let reads = 0; reads < 60; reads += 1) await answered('a read', () => rest('expenses'));
    const after = await values();
    for (const [index, value] of after.entries())
      expect(value - (before[index] ?? 0)).toBeGreaterThanOrEqual(60);
  });

  it('a write, in its group, its event on the stream and its effect in another service', async () => {
    const practice = await newPractice();
    const values = () =>
      Promise.all([
        metric('clients', 'practice_write_group_size_count'),
        metric('clients', 'practice_write_wait_seconds_count'),
        metric('clients', 'practice_postgres_transaction_duration_seconds_count'),
        metric('clients', 'practice_relay_events_total', { outcome: 'acknowledged' }),
        metric('scheduling', 'practice_subscription_events_total', {
          subscription: 'scheduling-mirror-clients',
          outcome: 'handled',
        }),
        metric('scheduling', 'practice_subscription_delay_seconds_count', {
          subscription: 'scheduling-mirror-clients',
        }),
      ]);
    const before = await values();
    expect((await newClient(practice, 'Ada')).status).toBe(201);
    await eventually('the event has had its effect', async () =>
      (await values()).every((value, index) => value > (before[index] ?? 0)),
    );
  });

  it('a refused request, with its code', async () => {
    const { rest } = await newPractice();
    const values = () =>
      Promise.all([
        http({ resource: 'clients', status: '400' }),
        metric('clients', 'practice_service_problems_total', { code: '42703' }),
      ]);
    const before = await values();
    expect((await rest('clients?nothing=eq.1')).status).toBe(400);
    const after = await values();
    expect(after.map((value, index) => value - (before[index] ?? 0) >= 1)).toEqual([true, true]);
  });

  it('a request that a limit refuses', async () => {
    const gateway = await stack().spawnProcess('gateway', { LIMIT_READS_PER_MINUTE: '1' });
    try {
      const { rest } = await newPractice();
      const { origin, metrics } = gateway;
      const statuses = [await rest('clients', { origin }), await rest('clients', { origin })];
      expect(statuses.map(({ status }) => status)).toEqual([200, 429]);
      const samples = samplesIn(await scrapeText(metrics));
      expect(sumOf(samples, 'practice_requests_refused_total', { limit: 'reads' })).toBe(1);
    } finally {
      await gateway.stop();
    }
  });

  it('the work on events: the outbox is empty and nothing is pending once every event is handled', async () => {
    await newClient(await newPractice(), 'Bob');
    // One by one, since other specs write meanwhile.
    for (const [service, name] of [
      ['clients', 'practice_outbox_events'],
      ['clients', 'practice_outbox_oldest_seconds'],
      ['scheduling', 'practice_subscription_pending_events'],
      ['scheduling', 'practice_subscription_lag_seconds'],
    ] as const)
      await eventually(`${name} is 0`, async () => (await metric(service, name)) === 0);
    expect(await metric('scheduling', 'practice_subscription_served')).toBeGreaterThanOrEqual(2);
    expect(await metric('supervisor', 'practice_process_up', { process: 'scheduling' })).toBe(1);
    expect(
      await metric('clients', 'practice_stream_messages', { stream: 'PRACTICE_EVENTS' }),
    ).toBeGreaterThan(0);
    expect(await metric('supervisor', 'practice_disk_free_bytes')).toBeGreaterThan(0);
  });
});

describe('labels', () => {
  it('have no value that a caller sends', async () => {
    const practice = await newPractice();
    const { rest, therapistId, email } = practice;
    const mark = `mark${randomUUID().replaceAll('-', '')}`;
    const headers = { 'x-request-id': mark, origin: `https://${mark}.example`, 'user-agent': mark };
    await newClient(practice, mark);
    await rest(`clients?name=eq.${mark}&select=${mark}`, { headers });
    await rest(`${mark}?a=eq.${mark}`, { headers });
    await rest(`rpc/${mark}`, { headers, method: 'POST', body: {} });
    await rest('clients', { headers, method: 'PROPFIND' }).catch(() => undefined);
    await call(`/${mark}`, { headers });
    await call(`/auth/v1/${mark}`, { headers });
    await call(`/exports/v1/${randomUUID()}?token=${mark}`, { headers });
    const texts = await Promise.all(metricsTargets().map(({ address }) => scrapeText(address)));
    for (const text of texts)
      for (const secret of [mark, therapistId, email, '127.0.0.1', 'PROPFIND'])
        expect(text).not.toContain(secret);
    // Operators choose the names of subscriptions, and other specs have dead letters of subscriptions of other systems.
    const values = texts
      .flatMap(samplesIn)
      .filter(({ name }) => name !== 'practice_dead_letters')
      .flatMap(({ labels }) => Object.values(labels));
    expect(values.filter((value) => /[\da-f]{8}-[\da-f]{4}|@|\?/i.test(value))).toEqual([]);
  });
});
