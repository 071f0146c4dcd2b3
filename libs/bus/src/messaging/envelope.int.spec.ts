import { afterEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { EnvelopeError } from './envelope.js';
import { decodeFrame, encodeFrame, entrySize, wholeEntry, type Outgoing } from './frame.js';
import { replySubject, requesterOf } from './subjects.js';
import { asking, closeAll, connected, envelope, failures, serve, until } from './testing/echo-service.js';

afterEach(closeAll);

describe('an envelope that cannot be read', () => {
  const of = (id: number, envelope: string) => wholeEntry(id, envelope, '');
  const frameOf = (entries: readonly Outgoing[]): Buffer =>
    encodeFrame(
      entries,
      entries.reduce((size, entry) => size + entrySize(entry), 0),
    );

  it('gets a reply, and so do the other requests of its frame', async () => {
    const service = `spec-${randomUUID()}`;
    await serve(service);
    const { nats } = await connected('admin');
    const lines = `practice.reply.admin.${service}.secret`;
    const answers = new Map<number, string>();
    nats.subscribe(`${lines}.*`, {
      callback: (_error, { data }) =>
        decodeFrame(data).forEach(({ id, body }) => answers.set(id, body.toString())),
    });
    const good = JSON.stringify({ op: 'open', requestId: 'r', deadline: Date.now() + 5_000 });
    const bad = ['{"secret', 'null', '7', '{}', '{"op":7,"requestId":"r","deadline":1e15}'];
    const frame = frameOf([...bad, good].map((envelope, id) => of(id, envelope)));
    nats.publish(`practice.rpc.${service}.admin.call`, frame, { reply: `${lines}.7` });
    await until(() => answers.size === bad.length + 1);
    expect(answers.get(bad.length)).toBe('nobody');
    for (const id of bad.keys()) expect(answers.get(id)).toContain('cannot read the envelope');
    expect(failures).toEqual(bad.map(() => expect.any(EnvelopeError)));
    expect(failures.map(String).join()).not.toContain('secret');
  });

  it('fails only its own request when it belongs to a reply', async () => {
    const service = `spec-${randomUUID()}`;
    const { nats } = await connected('admin');
    const asked: number[] = [];
    nats.subscribe(`practice.rpc.${service}.*.*`, {
      callback: (_error, { data, reply = '' }) => {
        asked.push(...decodeFrame(data).map(({ id }) => id));
        const [bad = 0, other = 0, good] = asked;
        if (good === undefined) return;
        const replies = [of(bad, '{'), of(other, 'null'), of(good, '{"status":200,"headers":{}}')];
        nats.publish(replySubject(requesterOf(reply)), frameOf(replies));
      },
    });
    await nats.flush();
    const requester = await asking();
    const waiting = [1, 2, 3].map(() => requester.request(service, envelope('echo'), ''));
    const results = await Promise.allSettled(waiting);
    const failed = {
      status: 'rejected',
      reason: {
        problem: { code: 'PM503', message: `The ${service} service sent a reply that cannot be read` },
      },
    };
    expect(results).toMatchObject([failed, failed, { status: 'fulfilled', value: { status: 200 } }]);
  });
});
