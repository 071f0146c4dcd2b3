import { describe, expect, it } from '@jest/globals';
import { toCloudEvent, type CloudEvent } from '@practice/bus';
import { ownersEvent } from './feed-event.js';
import { visibleEvent, type Reader } from './visible-event.js';

/** An event. @param name `<service> <aggregate>` */
const eventOf = (name: string, type: string, data: object) => {
  const [service = '', aggregate = ''] = name.split(' ');
  return ownersEvent([
    aggregate,
    toCloudEvent(service, {
      ...{ type, data, aggregate, position: 7, version: 2, schemaVersion: 1 },
      therapistId: '0198a0aa-51b7-7e61-b3ad-2f4d8c6e1a77',
      streamId: '0198a0aa-51b7-7e61-b3ad-2f4d8c6e1a78',
      metadata: { eventId: 'e', actor: { kind: 'system' }, requestId: 'r', correlationId: 'c' },
      recordedAt: '2026-05-01T10:00:00+00:00',
    }),
  ]);
};

const asSeenBy = (reader: Reader, event: ReturnType<typeof eventOf>): CloudEvent | undefined =>
  visibleEvent(event, reader);

const renamed = eventOf('clients client', 'ClientRenamed', { name: 'Ada' });
const spent = eventOf('finance expense', 'ExpenseCorrected', { amount: '7.00' });
const booked = eventOf('scheduling appointment', 'AppointmentDetailsChanged', {
  notes: 'brings a friend',
});

describe('an event as a role sees it', () => {
  it('is complete for a role that may see every column', () => {
    expect(asSeenBy({ role: 'owner' }, renamed)).toEqual(renamed.message);
  });

  it('is undefined for a role that may not read the records', () => {
    const note = eventOf('clinical-notes session_note', 'SessionNoteWritten', { client_id: 'c' });
    expect(asSeenBy({ role: 'front_desk' }, note)).toBeUndefined();
    expect(asSeenBy({ role: 'therapist' }, note)).toBeDefined();
  });

  it('is undefined if all its columns are hidden, and has no version if the role has hidden columns', () => {
    expect(asSeenBy({ role: 'billing' }, booked)).toBeUndefined();
    const moved = eventOf('scheduling appointment', 'AppointmentRescheduled', { date: '2026-05-02' });
    const seen = asSeenBy({ role: 'billing' }, moved);
    expect(seen).toMatchObject({ data: { date: '2026-05-02' }, position: 7 });
    expect(seen).not.toHaveProperty('streamversion');
  });

  it('is undefined for a token without a scope for the records', () => {
    expect(asSeenBy({ role: 'owner', scopes: ['clients:read'] }, spent)).toBeUndefined();
    expect(asSeenBy({ role: 'owner', scopes: ['expenses:write'] }, spent)).toBeDefined();
    expect(asSeenBy({ role: 'owner', scopes: ['*:read'] }, spent)).toBeDefined();
  });

  it('is undefined if its aggregate is not a resource', () => {
    const user = eventOf('identity user', 'UserPasswordChanged', {});
    expect(asSeenBy({ role: 'owner' }, user)).toBeUndefined();
  });
});
