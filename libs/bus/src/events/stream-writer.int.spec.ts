import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Msg } from '@nats-io/transport-node';
import { StreamWriter } from './stream-writer.js';
import { lamps, until } from './testing/lamps.js';

const { fresh, connected, streams } = lamps();

async function writing(timeoutMs = 5_000) {
  const connection = await connected();
  const { nats, inboxPrefix } = connection;
  const writer = new StreamWriter({ nats, inboxPrefix, timeoutMs });
  return { connection, store: (subject: string, id = randomUUID()) => writer.store(subject, '{}', id) };
}

const eventSubject = (): string => `practice.events.${fresh.service}.practice.lamp.LampLit`;
const answer = (seq: number): string => JSON.stringify({ stream: 'made up', seq });

describe('a message for the stream', () => {
  it('is acknowledged with its sequence, and as a duplicate if the stream already has its id', async () => {
    const { store } = await writing();
    const id = randomUUID();
    const first = await store(eventSubject(), id);
    expect(first.duplicate).toBe(false);
    expect(await store(eventSubject(), id)).toEqual({ seq: first.seq, duplicate: true });
    const [one, other] = await Promise.all([store(eventSubject()), store(eventSubject())]);
    expect(first.seq < one.seq && one.seq < other.seq).toBe(true);
  });

  it('fails if no stream or another stream takes its subject, and the next message succeeds', async () => {
    const { store } = await writing();
    const name = `spec-${randomUUID()}`;
    const { streams: all } = await streams();
    await all.add({ name, subjects: [`${name}.>`] });
    await expect(store(`unknown.${name}`)).rejects.toThrow('no stream takes the event');
    await expect(store(`${name}.x`)).rejects.toThrow('the event was refused: expected stream does not match');
    await all.delete(name);
    expect(await store(eventSubject())).toMatchObject({ duplicate: false });
  });

  it('fails if it is not acknowledged in time, and a late acknowledgement does not count for the next message', async () => {
    const { store } = await writing(300);
    const { nats } = await connected();
    const subject = `spec.${randomUUID()}`;
    const received: Msg[] = [];
    nats.subscribe(subject, { callback: (_, message) => void received.push(message) });
    await nats.flush();
    await expect(store(subject)).rejects.toThrow('not acknowledged in time');
    const next = store(subject);
    await until(() => received.length === 2);
    received[0]?.respond(answer(1));
    received[1]?.respond(answer(2));
    expect(await next).toEqual({ seq: 2, duplicate: false });
    await expect(store(subject)).rejects.toThrow('not acknowledged in time');
  });

  it('fails at once when its connection is closed', async () => {
    const { connection, store } = await writing(60_000);
    const { nats } = await connected();
    const subject = `spec.${randomUUID()}`;
    nats.subscribe(subject, { callback: () => undefined });
    await nats.flush();
    const stored = store(subject);
    await connection.nats.flush();
    await Promise.all([expect(stored).rejects.toThrow('the connection is closed'), connection.nats.close()]);
    await expect(store(subject)).rejects.toThrow();
  });
});
