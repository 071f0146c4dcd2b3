// The erasure of a practice and the bus: its messages lose their values, and late events do not bring values back.

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { noteDeletions } from '@practice/log';
import { createPublisher, deleteMessages, replay, subjectOf, connect } from '@practice/bus';
import type { PublishedEvent, Replayed, Connection } from '@practice/bus';
import { createLogger } from '@practice/process';
import { adminDatabase, eventually, filesWith, stack } from '@practice/testing';
import { signUp, type Person } from './people.js';
import { close, plant } from './planted.js';

const admin = adminDatabase();
const connections = new Map<string, Connection>();

beforeAll(async () => {
  for (const name of ['clients', 'scheduling', 'admin']) {
    const options = { url: stack().natsUrl(name), name: 'spec', logger: createLogger('spec', 'silent') };
    connections.set(name, await connect(options));
  }
});
afterAll(async () => {
  await Promise.all([...connections.values()].map((connection) => connection.close()));
});

const bus = (service: string): Connection => connections.get(service) as Connection;

const busFilesWith = (text: string): string[] => filesWith(join(stack().dataDir, 'nats'), text);

/** The messages with the practice's events of a service. */
async function messagesOf(service: string, { id: therapistId }: Person): Promise<Replayed[]> {
  const found: Replayed[] = [];
  const subjects = [subjectOf({ service, therapistId })];
  for await (const message of replay({ connection: bus('admin'), subjects })) found.push(message);
  return found;
}

const namesOf = (messages: readonly Replayed[]): string[] =>
  messages.map(({ event: { streamId, version } }) => `${streamId} ${version}`).sort();

const erasedFromBus = ({ id }: Person): Promise<unknown> =>
  eventually('the practice is erased from the bus', async () => {
    const { rowCount } = await admin.query(
      `SELECT FROM identity.practices AS p WHERE id = $1 AND erased_at IS NOT NULL
       AND NOT EXISTS (SELECT FROM identity.bus_erasures AS b WHERE b.therapist_id = p.id)`,
      [id],
    );
    return rowCount === 1;
  });

/** Creates a practice with values, and waits until it is erased from the bus. */
async function erasedPractice(): Promise<{ owner: Person; text: string; before: string[] }> {
  const owner = await signUp();
  const text = await plant(owner);
  await eventually('the bus has all events', async () => {
    const { rowCount } = await admin.query(
      `SELECT FROM clients.outbox WHERE therapist_id = $1
       UNION ALL SELECT FROM scheduling.outbox WHERE therapist_id = $1`,
      [owner.id],
    );
    return rowCount === 0;
  });
  await eventually('its files have the values', () => busFilesWith(text).length > 0);
  const before = [...(await messagesOf('clients', owner)), ...(await messagesOf('scheduling', owner))];
  await close(owner);
  await admin.query('UPDATE identity.practice_head SET erase_at = now() WHERE therapist_id = $1', [owner.id]);
  await erasedFromBus(owner);
  return { owner, text, before: namesOf(before) };
}

let one: ReturnType<typeof erasedPractice> | undefined;
/** An erased practice that several cases share. */
const erased = () => (one ??= erasedPractice());

describe('the bus, after the erasure of a practice', () => {
  it('has all events, and no value of a client', async () => {
    const { owner, text, before } = await erased();
    expect(busFilesWith(text)).toEqual([]);
    const after = [...(await messagesOf('clients', owner)), ...(await messagesOf('scheduling', owner))];
    expect(before.length).toBeGreaterThan(3);
    expect(namesOf(after)).toEqual(before);
  });

  it('has all events even if a process was killed between deletion and publication', async () => {
    const { owner, before } = await erased();
    const sequences = (await messagesOf('clients', owner)).map(({ sequence }) => sequence);
    const stream = await createPublisher({ connection: bus('clients'), service: 'clients' }).id();
    await noteDeletions(admin, 'clients', { stream, sequences });
    await deleteMessages(bus('clients'), sequences);
    expect(await messagesOf('clients', owner)).toEqual([]);
    await admin.query('INSERT INTO identity.bus_erasures (therapist_id) VALUES ($1)', [owner.id]);
    await erasedFromBus(owner);
    const after = [...(await messagesOf('clients', owner)), ...(await messagesOf('scheduling', owner))];
    expect(namesOf(after)).toEqual(before);
  });
});

describe('an event that comes after the erasure of its practice', () => {
  const publishLate = async (service: string, event: PublishedEvent, next: object): Promise<void> => {
    const metadata = {
      actor: { kind: 'system' } as const,
      requestId: 'spec',
      ...event.metadata,
      eventId: randomUUID(),
    };
    const late = { ...event, metadata, position: event.position + 1000, ...next };
    const publisher = createPublisher({ connection: bus(service), service });
    expect(await publisher.publish([late])).toEqual([expect.objectContaining({ eventId: metadata.eventId })]);
  };

  const clientEvent = async (owner: Person): Promise<PublishedEvent> => {
    const messages = await messagesOf('clients', owner);
    return messages.find(({ event }) => event.type === 'ClientRegistered')?.event as PublishedEvent;
  };

  const mirrorOf = async (schema: string, owner: Person, id: string) => {
    const { rows } = await admin.query<{ version: number; data: object }>(
      `SELECT version, data FROM ${schema}.mirror WHERE therapist_id = $1 AND resource = 'clients' AND id = $2`,
      [owner.id, id],
    );
    return rows[0];
  };

  it('leaves no value in a mirror: a new client', async () => {
    const { owner } = await erased();
    const [text, id] = [`late-${randomUUID()}`, randomUUID()];
    const event = await clientEvent(owner);
    const data = { ...event.data, name: text, email: `${text}@example.com` };
    await publishLate('clients', event, { streamId: id, data });
    await eventually(
      'scheduling knows the client',
      async () => (await mirrorOf('scheduling', owner, id)) != null,
    );
    expect(await mirrorOf('scheduling', owner, id)).toMatchObject({ version: 1, data: { name: null } });
  });

  it('causes no reaction, and does not block later events: a new name', async () => {
    const { owner } = await erased();
    const event = await clientEvent(owner);
    const next = { type: 'ClientRenamed', version: 2, data: { name: `late-${randomUUID()}` } };
    await publishLate('clients', event, next);
    await eventually('scheduling has the event', async () => {
      return (await mirrorOf('scheduling', owner, event.streamId))?.version === 2;
    });
    expect(await mirrorOf('scheduling', owner, event.streamId)).toMatchObject({ data: { name: null } });
  });

  it('causes no reaction, even without a personal value: a visit', async () => {
    const { owner } = await erased();
    const messages = await messagesOf('scheduling', owner);
    const { event } = messages.find(
      ({ event: { type, data } }) =>
        type === 'AppointmentScheduled' && (data as { client_id: unknown }).client_id !== null,
    ) as Replayed;
    await publishLate('scheduling', event, {
      type: 'AppointmentCompleted',
      version: 2,
      data: { status: 'completed' },
    });
    await eventually('clients has the event', async () => {
      const { rows } = await admin.query<{ version: number }>(
        `SELECT version FROM clients.mirror WHERE therapist_id = $1 AND id = $2`,
        [owner.id, event.streamId],
      );
      return rows[0]?.version === 2;
    });
    const { rowCount } = await admin.query(
      `SELECT FROM clients.events WHERE therapist_id = $1 AND type = 'ClientVisitCounted'`,
      [owner.id],
    );
    expect(rowCount).toBe(0);
  });
});
