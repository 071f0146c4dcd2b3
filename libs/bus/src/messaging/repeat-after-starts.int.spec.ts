import { afterEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { headers, type Msg } from '@nats-io/transport-node';
import { decodeFrame, encodeFrame, entrySize, wholeEntry } from './frame.js';
import { replySubject, requesterOf, requestSubjects, startedSubject, UNKNOWN_VERSION } from './subjects.js';
import { asking, closeAll, connected, envelope, serve, until } from './testing/echo-service.js';

afterEach(closeAll);

const unavailable = { problem: expect.objectContaining({ status: 503, code: 'PM503' }) };

/** A process that receives requests and answers only the requests that a test chooses. */
async function hangingProcess(service: string) {
  const { nats } = await connected('admin');
  const taken: { readonly id: number; readonly message: Msg }[] = [];
  nats.subscribe(requestSubjects(service), {
    queue: service,
    callback: (_error, message) =>
      void taken.push(...decodeFrame(message.data).map(({ id }) => ({ id, message }))),
  });
  await nats.flush();
  return {
    taken,
    has: (count: number) => until(() => taken.length >= count),
    announce: async () => {
      nats.publish(startedSubject(service));
      await nats.flush();
    },
    answer: (index: number, body: string) => {
      const { id, message } = taken[index] as (typeof taken)[number];
      const entry = wholeEntry(id, JSON.stringify({ status: 200, headers: {} }), body);
      nats.publish(replySubject(requesterOf(message.reply ?? '')), encodeFrame([entry], entrySize(entry)));
    },
    refuse: (index: number) =>
      taken[index]?.message.respond(undefined, { headers: headers(UNKNOWN_VERSION, 'refused') }),
    kill: () => nats.close(),
  };
}

const newService = (): string => `spec-${randomUUID()}`;
const mayRepeat = (): boolean => true;

describe('requests to a process that has ended', () => {
  it('are answered by the next process of the service', async () => {
    const service = newService();
    const gone = await hangingProcess(service);
    const requester = await asking({ mayRepeat });
    const bodies = ['one', 'two', 'three'];
    const replies = bodies.map((body) => requester.request(service, envelope('echo'), body));
    await gone.has(3);
    await gone.kill();
    await serve(service);
    expect((await Promise.all(replies)).map(({ body }) => body.toString())).toEqual(bodies);
    expect(requester.inFlight()).toBe(0);
  });

  it('wait for their deadline if it is not safe to repeat them', async () => {
    const service = newService();
    const process = await hangingProcess(service);
    const requester = await asking({ timeoutMs: 500, mayRepeat: ({ requestId }) => requestId !== 'write' });
    const write = requester.request(service, envelope('echo', 'write'), '');
    await process.has(1);
    await process.announce();
    await expect(write).rejects.toMatchObject(unavailable);
    expect(process.taken).toHaveLength(1);
  });

  it('are repeated only once, even if a service announces more starts', async () => {
    const service = newService();
    const process = await hangingProcess(service);
    const requester = await asking({ timeoutMs: 5_000, mayRepeat });
    const read = requester.request(service, envelope('echo'), '');
    await process.has(1);
    for (let times = 0; times < 3; times += 1) await process.announce();
    await expect(read).rejects.toMatchObject(unavailable);
    expect(process.taken).toHaveLength(2);
    expect(requester.inFlight()).toBe(0);
  });

  it('are not repeated when another service starts', async () => {
    const [service, other] = [newService(), newService()];
    const [process, started] = [await hangingProcess(service), await hangingProcess(other)];
    const requester = await asking({ timeoutMs: 500, mayRepeat });
    const read = requester.request(service, envelope('echo'), '');
    await process.has(1);
    await started.announce();
    await expect(read).rejects.toMatchObject(unavailable);
    expect(process.taken).toHaveLength(1);
  });
});

describe('two attempts at a request', () => {
  async function askedTwice() {
    const service = newService();
    const process = await hangingProcess(service);
    const requester = await asking({ mayRepeat });
    const ask = async () => (await requester.request(service, envelope('echo'), '')).body.toString();
    const answer = ask();
    await process.has(1);
    await process.announce();
    await process.has(2);
    return { process, requester, ask, answer };
  }

  it.each([
    ['first', 0, 1],
    ['second', 1, 0],
  ])('get the reply of the %s if it comes first, and ignore the other', async (_which, early, late) => {
    const { process, requester, ask, answer } = await askedTwice();
    process.answer(early, 'early');
    expect(await answer).toBe('early');
    process.answer(late, 'late');
    const next = ask();
    await process.has(3);
    process.answer(2, 'next');
    expect(await next).toBe('next');
    expect(requester.inFlight()).toBe(0);
  });

  it.each([0, 1])('continue with the other attempt when attempt %s is refused', async (refused) => {
    const { process, requester, answer } = await askedTwice();
    process.refuse(refused);
    await until(() => requester.inFlight() === 1);
    process.answer(1 - refused, 'answered');
    expect(await answer).toBe('answered');
  });
});
