import { afterEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { asking, closeAll, counts, envelope, serve } from './testing/echo-service.js';

afterEach(closeAll);

const notRunning = {
  problem: { status: 503, code: 'PM503', message: expect.stringContaining('is not running') },
};

describe('requests to a service without a process', () => {
  it('wait for the next process, which carries out each request once', async () => {
    const service = `spec-${randomUUID()}`;
    const first = await serve(service);
    const requester = await asking();
    await requester.request(service, envelope('echo'), '');
    await first.close();
    const bodies = ['one', 'two', 'three'];
    const replies = bodies.map((body) => requester.request(service, envelope('count'), body));
    await serve(service);
    expect((await Promise.all(replies)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect([...counts].sort()).toEqual([...bodies].sort());
    expect(requester.inFlight()).toBe(0);
  });

  it('get PM503 if no process starts for some seconds, and later requests get it at once, independent of the timeout', async () => {
    const service = `spec-${randomUUID()}`;
    const requester = await asking({ timeoutMs: 60_000 });
    const asked = [1, 2, 3].map(() => requester.request(service, envelope('echo'), ''));
    for (const one of asked) await expect(one).rejects.toMatchObject(notRunning);
    await expect(requester.request(service, envelope('echo'), '')).rejects.toMatchObject(notRunning);
    expect(requester.inFlight()).toBe(0);
  });
});
