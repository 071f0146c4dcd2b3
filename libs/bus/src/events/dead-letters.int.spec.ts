import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { headers } from '@nats-io/transport-node';
import { deadLetterSubjects, discardDeadLetter, findDeadLetter } from './dead-letters.js';
import { listDeadLetters, retryDeadLetter } from './dead-letters.js';
import type { DeadLetter } from './dead-letters.js';
import { subscriptionLags } from './lag.js';
import type { EventOf } from './subscribe.js';
import { lamp, lamps, positionsOf, until, upTo, type Events } from './testing/lamps.js';

const { fresh, connected, publish, listen } = lamps();

/** The subscription's dead letters, once there are `count` of them. */
async function letters(count: number): Promise<DeadLetter[]> {
  const connection = await connected();
  let found: DeadLetter[] = [];
  await until(async () => (found = await listDeadLetters(connection, fresh.name)).length >= count);
  return found;
}

const practice = 'practice';

/** A handler that fails for events at this position while `isBroken` is true. */
function handlerThatFailsAt(position: number) {
  const state = { isBroken: true, attempts: 0, done: [] as EventOf<Events>[] };
  const handler = (event: EventOf<Events>): void => {
    if (event.position === position && ++state.attempts && state.isBroken) throw new Error('no\nbulb');
    state.done.push(event);
  };
  return { state, handler };
}

describe('an event whose handler keeps failing', () => {
  it('becomes a dead letter after the last attempt, an error is logged, and later events are handled', async () => {
    const errors: object[] = [];
    const connection = await connected({ error: (fields) => void errors.push(fields) });
    await publish(upTo(5).map((position) => lamp(practice, position)));
    const { state, handler } = handlerThatFailsAt(2);
    await listen(handler, { connection, maxAttempts: 3 });
    const [letter] = await letters(1);
    await until(() => state.done.length === 4);
    expect(positionsOf(practice, state.done)).toEqual([1, 3, 4, 5]);
    expect(state.attempts).toBe(3);
    expect(letter).toMatchObject({
      id: expect.stringMatching(`^${fresh.name}:\\d+$`),
      subscription: fresh.name,
      subject: `practice.events.${fresh.service}.${practice}.lamp.LampLit`,
      error: 'Error: no bulb',
      attempts: 3,
    });
    expect(JSON.parse(Buffer.from(letter?.data ?? []).toString())).toMatchObject({ position: 2 });
    expect(errors).toEqual([expect.objectContaining({ deadLetter: letter?.id, attempts: 3 })]);
    await discardDeadLetter(await connected(), letter?.id ?? '');
  });

  it('is handled when its dead letter is retried, and the dead letter is deleted', async () => {
    await publish([lamp(practice, 1), lamp(practice, 2)]);
    const { state, handler } = handlerThatFailsAt(1);
    await listen(handler, { maxAttempts: 1 });
    const [letter] = (await letters(1)) as [DeadLetter];
    const admin = await connected();
    await expect(retryDeadLetter(admin, letter)).rejects.toThrow('no\nbulb');
    expect(await findDeadLetter(admin, letter.id)).toEqual(letter);
    state.isBroken = false;
    await retryDeadLetter(admin, letter);
    expect(positionsOf(practice, state.done)).toEqual([2, 1]);
    expect(await findDeadLetter(admin, letter.id)).toBeUndefined();
    expect(await discardDeadLetter(admin, letter.id)).toBe(false);
  });

  it('is not handled again when another message comes to the subject of its retries', async () => {
    await publish([lamp(practice, 1)]);
    const { state, handler } = handlerThatFailsAt(1);
    await listen(handler, { maxAttempts: 1 });
    const [letter] = (await letters(1)) as [DeadLetter];
    state.isBroken = false;
    const admin = await connected();
    const sent = headers();
    sent.set('subject', letter.subject);
    // JetStream delivers to any subject that a consumer names, with a reply subject of its own.
    const given = { headers: sent, reply: 'other' };
    admin.nats.publish(deadLetterSubjects(fresh.name).retry, letter.data, given);
    await admin.nats.flush();
    await publish([lamp(practice, 2)]);
    await until(() => state.done.length > 0);
    expect(positionsOf(practice, state.done)).toEqual([2]);
    await retryDeadLetter(admin, letter);
    expect(positionsOf(practice, state.done)).toEqual([2, 1]);
  });

  it('cannot be retried while no process serves the subscription', async () => {
    await publish([lamp(practice, 1)]);
    const subscription = await listen(handlerThatFailsAt(1).handler, { maxAttempts: 1 });
    const [letter] = (await letters(1)) as [DeadLetter];
    await subscription.stop();
    const admin = await connected();
    await expect(retryDeadLetter(admin, letter)).rejects.toThrow('no process serves');
    const closed = await connected();
    await closed.close();
    await expect(retryDeadLetter(closed, letter)).rejects.toThrow('closed connection');
    expect(await discardDeadLetter(admin, letter.id)).toBe(true);
    expect(await listDeadLetters(admin, fresh.name)).toEqual([]);
  });

  it('blocks its practice when `maxAttempts` is Infinity, and is counted as lag', async () => {
    await publish(upTo(3).map((position) => lamp(practice, position)));
    const { state, handler } = handlerThatFailsAt(2);
    await listen(handler, { maxAttempts: Infinity });
    await until(() => state.attempts > 30);
    expect(positionsOf(practice, state.done)).toEqual([1]);
    const admin = await connected();
    expect(await listDeadLetters(admin, fresh.name)).toEqual([]);
    const lag = (await subscriptionLags(admin)).find(({ name }) => name === fresh.name);
    expect(lag).toMatchObject({ pending: 0, unacknowledged: 2, isServed: true, oldest: expect.any(Date) });
    state.isBroken = false;
    await until(() => state.done.length === 3);
    await until(async () =>
      (await subscriptionLags(admin)).some(({ name, oldest }) => name === fresh.name && oldest === null),
    );
    expect(positionsOf(practice, state.done)).toEqual([1, 2, 3]);
  });
});

describe('a message that is not an event', () => {
  it('becomes a dead letter at once, and cannot be retried', async () => {
    const { nats } = await connected();
    const subject = `practice.events.${fresh.service}.${randomUUID()}.lamp.LampLit`;
    nats.publish(subject, 'garbage');
    await nats.flush();
    const { state, handler } = handlerThatFailsAt(0);
    await listen(handler);
    await publish([lamp(practice, 1)]);
    const [letter] = (await letters(1)) as [DeadLetter];
    await until(() => state.done.length === 1);
    expect(letter).toMatchObject({ subject, attempts: 0, error: 'EnvelopeError: not JSON' });
    const admin = await connected();
    await expect(retryDeadLetter(admin, letter)).rejects.toThrow('not JSON');
    await discardDeadLetter(admin, letter.id);
  });
});
