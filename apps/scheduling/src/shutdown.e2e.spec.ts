import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { logOf, newPractice, ownStack, stack, wireTo } from '@practice/testing';

const slot = (index: number) => ({
  id: randomUUID(),
  date: new Date(Date.UTC(2031, 0, 1 + index)).toISOString().slice(0, 10),
  start_time: '09:00',
  end_time: '10:00',
});

describe('a process that gets SIGTERM', () => {
  it('finishes the requests that it has begun, and accepts no further requests', async () => {
    const { spawnProcess } = stack();
    const leaving = await spawnProcess('scheduling');
    const practices = await Promise.all([...Array(5).keys()].map(() => newPractice()));
    let answered = 0;
    let stopping: Promise<void> | undefined;
    const book = async (practice: (typeof practices)[number], index: number): Promise<number> => {
      const { status } = await practice.rest('appointments', { method: 'POST', body: slot(index) });
      answered += 1;
      // In the middle: many requests are running, and many more follow.
      if (answered === 50) stopping = leaving.stop();
      return status;
    };
    const lines = practices.flatMap((practice) =>
      [...Array(2).keys()].map(async (line) => {
        const statuses: number[] = [];
        for (let round = 0; round < 32; round += 1) statuses.push(await book(practice, line * 32 + round));
        return statuses;
      }),
    );
    const statuses = (await Promise.all(lines)).flat();
    await stopping;
    expect(statuses).toEqual(Array(320).fill(201));
    for (const practice of practices)
      expect((await practice.rest('appointments?select=count()')).json).toEqual([{ count: 64 }]);
    const log = logOf(leaving.name);
    expect(log.match(/"operation":"POST","status":201/g)?.length).toBeGreaterThan(0);
    // The process also serves other specs, whose requests may be refused with 5xx.
    const own = practices.map(({ therapistId }) => therapistId);
    const ofThese = log.split('\n').filter((entry) => own.some((id) => entry.includes(id)));
    expect(ofThese.filter((entry) => /"status":5\d\d/.test(entry))).toEqual([]);
    expect(log).toContain('"reason":"SIGTERM"');
  });

  // This test has its own system: otherwise, a request of another spec could get 503 when the wire is cut.
  it('ends without an error while NATS is unavailable', async () => {
    const own = await ownStack();
    const wire = await wireTo(own.natsUrl('scheduling'));
    try {
      const leaving = await own.start('scheduling', { NATS_URL: wire.url });
      wire.cut();
      process.kill(leaving.pid, 'SIGTERM');
      // A process that has not ended by itself after 12 s ends with 1.
      expect(await leaving.exited).toEqual({ code: 0, signal: null });
    } finally {
      await own.stop();
      await wire.close();
    }
  });
});
