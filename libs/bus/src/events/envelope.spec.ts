import { describe, expect, it } from '@jest/globals';
import type { RecordedEvent } from '@practice/core';
import fc from 'fast-check';
import { EnvelopeError } from '../messaging/envelope.js';
import { readCloudEvent, subjectOf, toCloudEvent } from './envelope.js';

const scheduled: RecordedEvent = {
  type: 'AppointmentScheduled',
  data: { starts_at: '2026-03-02T09:00:00+00:00' },
  therapistId: '0198a3c4-0000-7000-8000-000000000001',
  position: 42,
  aggregate: 'appointment',
  streamId: '0198a3c4-0000-7000-8000-000000000002',
  version: 3,
  schemaVersion: 1,
  metadata: {
    eventId: '0198a3c4-0000-7000-8000-000000000003',
    actor: { kind: 'system' as const },
    requestId: 'request-1',
    correlationId: 'correlation-1',
    causationId: 'causation-1',
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  },
  recordedAt: '2026-03-01T10:00:00.123456Z',
};

const subject = subjectOf({ ...scheduled, service: 'scheduling' });
const bytes = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));

describe('the envelope', () => {
  it('is CloudEvents 1.0', () => {
    expect(toCloudEvent('scheduling', scheduled)).toEqual({
      specversion: '1.0',
      id: '0198a3c4-0000-7000-8000-000000000003',
      source: '/practice/scheduling',
      type: 'practice.scheduling.AppointmentScheduled.v1',
      subject: '0198a3c4-0000-7000-8000-000000000002',
      time: '2026-03-01T10:00:00.123456Z',
      datacontenttype: 'application/json',
      data: { starts_at: '2026-03-02T09:00:00+00:00' },
      therapistid: '0198a3c4-0000-7000-8000-000000000001',
      position: 42,
      streamversion: 3,
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      correlationid: 'correlation-1',
      causationid: 'causation-1',
    });
  });

  it('has a subject made of the service, the practice, the aggregate and the type', () => {
    expect(subject).toBe(
      'practice.events.scheduling.0198a3c4-0000-7000-8000-000000000001.appointment.AppointmentScheduled',
    );
  });

  it('has a pattern with * for every part of the subject that is left out', () => {
    expect(subjectOf({ type: 'ClientRenamed' })).toBe('practice.events.*.*.*.ClientRenamed');
    expect(subjectOf({ service: 'clients', therapistId: 'a' })).toBe('practice.events.clients.a.*.*');
  });

  it('is read back as the event, without the actor and the request id', () => {
    const { actor: _actor, requestId: _requestId, ...metadata } = scheduled.metadata;
    expect(readCloudEvent(subject, bytes(toCloudEvent('scheduling', scheduled)))).toEqual({
      ...scheduled,
      service: 'scheduling',
      metadata,
    });
  });

  it('omits attributes that the event does not have', () => {
    const { causationId: _causationId, traceparent: _traceparent, ...metadata } = scheduled.metadata;
    const envelope = toCloudEvent('scheduling', { ...scheduled, metadata });
    expect(envelope).not.toHaveProperty('causationid');
    expect(readCloudEvent(subject, bytes(envelope)).metadata).not.toHaveProperty('traceparent');
  });
});

describe('an invalid envelope', () => {
  const envelope = toCloudEvent('scheduling', scheduled);
  it.each([
    ['another version of CloudEvents', { ...envelope, specversion: '0.3' }],
    ['no id', { ...envelope, id: undefined }],
    ['an empty practice', { ...envelope, therapistid: '' }],
    ['a position that is not a number', { ...envelope, position: '42' }],
    ['a position of 0', { ...envelope, position: 0 }],
    ['a causation id that is not a text', { ...envelope, causationid: 7 }],
    ['no data', { ...envelope, data: null }],
    ['a type of another service', { ...envelope, type: 'practice.clients.AppointmentScheduled.v1' }],
    ['a source of another service', { ...envelope, source: '/practice/clients' }],
    ['a type of another form', { ...envelope, type: 'AppointmentScheduled' }],
    [
      'a different practice from the subject',
      { ...envelope, therapistid: '0198a3c4-0000-7000-8000-000000000009' },
    ],
    ['a different type from the subject', { ...envelope, type: 'practice.scheduling.AppointmentDeleted.v1' }],
    ['an array', [envelope]],
  ])('is rejected: %s', (_what, value) => {
    expect(() => readCloudEvent(subject, bytes(value))).toThrow(EnvelopeError);
  });

  it('is rejected for any bytes', () => {
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array(), fc.json().map(Buffer.from)), (garbage) => {
        expect(() => readCloudEvent(subject, garbage)).toThrow(EnvelopeError);
      }),
    );
  });
});
