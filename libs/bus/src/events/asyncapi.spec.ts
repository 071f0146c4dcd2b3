import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import specs from '@asyncapi/specs';
import { Ajv, type AnySchema } from 'ajv';
import { eventTypes, LOG_RESTORED } from '@practice/contracts';
import type { RecordedEvent } from '@practice/core';
import { asyncApi } from './asyncapi.js';
import { toCloudEvent } from './envelope.js';
import { otherEvents } from './other-events.js';

const read = (path: string): string => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');
const { version } = JSON.parse(read('package.json')) as { version: string };
const document = asyncApi(eventTypes, version);

const ajv = new Ajv({ strict: false, validateFormats: false });

describe('docs/asyncapi.json', () => {
  it('matches the contracts (`npm run generate` writes it)', () => {
    expect(JSON.parse(read('docs/asyncapi.json'))).toEqual(document);
  });

  it('is a valid AsyncAPI 3.0 document', () => {
    const validate = ajv.compile(specs.schemasWithoutId['3.0.0'] as AnySchema);
    void validate(document);
    expect(validate.errors ?? []).toEqual([]);
  });

  it('has every event type, each on its own subject', () => {
    const wanted = eventTypes.map(
      ({ service, aggregate, type }) => `practice.events.${service}.{therapistId}.${aggregate}.${type}`,
    );
    expect(Object.values(document.channels).map(({ address }) => address)).toEqual([
      ...wanted,
      'practice.events.{service}.{therapistId}.{aggregate}.LogRestored',
    ]);
  });
});

describe('docs/events.md', () => {
  it('lists every event type, together with docs/resources.md (`npm run generate` writes both)', () => {
    const list = /<!-- event types: [^>]*-->([^]*?)<!-- end -->/.exec(read('docs/events.md'))?.[1] ?? '';
    expect(list.trim()).toBe(otherEvents(eventTypes));
    const resources = read('docs/resources.md');
    const isListed = ({ type }: { type: string }): boolean =>
      new RegExp(`\\b${type}\\b`).test(list + resources);
    expect(eventTypes.filter((event) => !isListed(event))).toEqual([]);
  });
});

describe('a message', () => {
  const validate = ajv.compile({
    ...(document.components.messages['AppointmentRescheduled']?.payload as object),
    components: document.components,
  });
  const event: RecordedEvent = {
    type: 'AppointmentRescheduled',
    data: { date: '2026-03-02', start_time: '09:00' },
    therapistId: '0198a0aa-51b7-7e61-b3ad-2f4d8c6e1a77',
    position: 42,
    aggregate: 'appointment',
    streamId: '0198a3c1-20f4-7c55-8e0e-5d1f6a3b9c02',
    version: 3,
    schemaVersion: 1,
    metadata: {
      eventId: '0198a3c4-7d52-7b1e-9a53-0c8f1f0b7a11',
      actor: { kind: 'system' as const },
      requestId: 'r',
      correlationId: 'c',
    },
    recordedAt: '2026-03-02T09:14:07.12+00:00',
  };

  it('matches the document when it is an event as published', () => {
    validate(toCloudEvent('scheduling', event));
    expect(validate.errors ?? []).toEqual([]);
  });

  it.each<[string, string, object]>([
    ['of another service', 'clients', {}],
    ['with a column that the event does not hold', 'scheduling', { data: { status: 'cancelled' } }],
    ['with a value of another kind', 'scheduling', { data: { start_time: 'nine' } }],
    ['of another type', 'scheduling', { type: 'AppointmentScheduled' }],
    ['without a position', 'scheduling', { position: 0 }],
  ])('%s does not match it', (_, service, but) => {
    expect(validate(toCloudEvent(service, { ...event, ...but }))).toBe(false);
  });
});

describe('LogRestored', () => {
  const validate = ajv.compile({
    ...(document.components.messages[LOG_RESTORED]?.payload as object),
    components: document.components,
  });
  const event: RecordedEvent = {
    type: LOG_RESTORED,
    data: { epoch: 1_893_456_000, after: 41 },
    therapistId: '0198a0aa-51b7-7e61-b3ad-2f4d8c6e1a77',
    position: 42,
    epoch: 1_893_456_000,
    aggregate: 'appointment',
    streamId: '0198a0aa-51b7-7e61-b3ad-2f4d8c6e1a77',
    version: 1,
    schemaVersion: 1,
    metadata: {
      eventId: '0198a3c4-7d52-8b1e-9a53-0c8f1f0b7a11',
      actor: { kind: 'system' as const },
      requestId: 'r',
      correlationId: 'c',
    },
    recordedAt: '2030-01-01T00:00:00.000Z',
  };

  it.each(['scheduling', 'clinical-notes'])('of %s matches the document', (service) => {
    validate(toCloudEvent(service, event));
    expect(validate.errors ?? []).toEqual([]);
  });

  it.each<[string, object]>([
    ['without a position', { data: { epoch: 1_893_456_000 } }],
    ['with an epoch that is not a number', { data: { epoch: 'now', after: 41 } }],
    ['of another type', { type: 'AppointmentScheduled' }],
  ])('%s does not match it', (_, but) => {
    expect(validate(toCloudEvent('scheduling', { ...event, ...but }))).toBe(false);
  });
});
