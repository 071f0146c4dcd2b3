import { expect, it } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import type { Connection } from '@practice/bus';
import { Allowances, single } from '../allowance.js';
import { sizeOf, Topic } from './topic.js';
import { decodeSent, encodeSent } from './topic-message.js';

it('a topic that was closed does not answer a question that was waiting for its turn', async () => {
  const said: string[] = [];
  let isClosed = false;
  const hearing: ((error: null, message: { readonly data: Uint8Array }) => void)[] = [];
  const connection = {
    nats: {
      subscribe: (_: string, { callback }: { readonly callback: (typeof hearing)[number] }) => {
        hearing.push(callback);
        return { unsubscribe: () => void (isClosed = true), isClosed: () => isClosed };
      },
      publish: (_: string, data: Uint8Array) => said.push(decodeSent(data).kind),
      isClosed: () => false,
    },
  } as unknown as Connection;
  const allowance = new Allowances().ofPractice('practice');
  const topic = new Topic({
    ...{ connection, subject: 'topic', topic: 'realtime:room', process: 'this', base: 0 },
    allowance,
    heard: () => undefined,
    failed: (error) => expect(error).toBeUndefined(),
  });
  const ask = (): void => {
    for (const hear of hearing) hear(null, { data: encodeSent({ from: 'other', kind: 'ask' }) });
  };
  said.length = 0;

  ask();
  await setImmediate();
  expect(said).toEqual(['state']);
  // Messages that arrive during other work of the practice wait for their turn.
  const work = (): void => {
    ask();
    topic.close();
  };
  await allowance.inTurn(single(work));
  await setImmediate();
  expect(said).toEqual(['state']);
});

it('a broadcast has the bytes of its event and of its content', () => {
  expect(sizeOf({ event: 'é', content: { encoding: 'json', json: '"é"' } })).toBe(6);
  expect(sizeOf({ event: 'large', content: { encoding: 'binary', bytes: Buffer.alloc(10) } })).toBe(15);
});
