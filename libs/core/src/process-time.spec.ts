import { describe, expect, it } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { busy, ProcessTime } from './process-time.js';

/** A process with a clock that each step advances by a millisecond. */
function process() {
  let ms = 0;
  const log: string[] = [];
  const time = new ProcessTime(() => ms);
  function* steps(name: string, count: number): Generator<void, string> {
    try {
      for (let step = 0; step < count; step += 1) {
        ms += 1;
        log.push(name);
        yield;
      }
      return name;
    } finally {
      log.push(`${name} ends`);
    }
  }
  return { time, log, steps };
}

const short = (log: readonly string[]): string[] => log.filter((entry) => entry.length === 1);

describe('the time of a process', () => {
  it('runs short work without a pause', async () => {
    const { time, log, steps } = process();
    const result = time.run({ therapistId: 'one' }, steps('a', 4));
    expect(short(log)).toEqual(['a', 'a', 'a', 'a']);
    expect(await result).toBe('a');
  });

  it('serves the event loop between the slices of long work', async () => {
    const { time, log, steps } = process();
    const long = time.run({ therapistId: 'one' }, steps('a', 100));
    let turns = 0;
    const serve = (): void => {
      turns += 1;
      if (!log.includes('a ends')) setImmediate(serve);
    };
    setImmediate(serve);
    await long;
    expect(turns).toBeGreaterThanOrEqual(100 / 5 - 1);
  });

  it('uses as much time in one turn of the event loop for many requests as for one', async () => {
    const { time, log, steps } = process();
    const all = Array.from({ length: 20 }, () => time.run({ therapistId: 'one' }, steps('a', 5)));
    expect(short(log)).toHaveLength(5);
    await nextTurn();
    expect(short(log)).toHaveLength(10);
    await Promise.all(all);
    expect(short(log)).toHaveLength(100);
  });

  it('runs the work of another practice between the slices of long work', async () => {
    const { time, log, steps } = process();
    const long = time.run({ therapistId: 'one' }, steps('a', 40));
    await nextTurn();
    await time.run({ therapistId: 'two' }, steps('b', 10));
    expect(log).not.toContain('a ends');
    await long;
    expect(log.indexOf('b ends')).toBeLessThan(log.indexOf('a ends'));
  });

  it('makes a practice that has used much time wait for the others', async () => {
    const { time, log, steps } = process();
    await time.run({ therapistId: 'one' }, steps('a', 50));
    log.length = 0;
    const work = [
      time.run({ therapistId: 'one' }, steps('a', 10)),
      time.run({ therapistId: 'two' }, steps('b', 10)),
      time.run({ therapistId: 'three' }, steps('c', 10)),
    ];
    await Promise.all(work);
    expect(log.filter((entry) => entry.endsWith('ends')).at(-1)).toBe('a ends');
  });

  it('divides time evenly between practices, not between their requests', async () => {
    const { time, log, steps } = process();
    const many = Array.from({ length: 9 }, () => time.run({ therapistId: 'one' }, steps('a', 20)));
    const single = time.run({ therapistId: 'two' }, steps('b', 20));
    await single;
    const before = log.slice(0, log.indexOf('b ends'));
    expect(before.filter((name) => name === 'a').length).toBeLessThanOrEqual(25);
    await Promise.all(many);
  });

  it('reads a short text before other work of its practice ends, and a long text after that', async () => {
    const { time, log, steps } = process();
    const payer = { therapistId: 'one' };
    const long = time.run(payer, steps('a', 10));
    const texts = [time.read(payer, 17_000, steps('b', 1)), time.read(payer, 16_000, steps('c', 1))];
    expect(short(log)).toEqual([...Array<string>(5).fill('a'), 'c']);
    expect(await Promise.all([long, ...texts])).toEqual(['a', 'b', 'c']);
    expect(short(log).slice(-2)).toEqual(['a', 'b']);
  });

  it('stops work whose caller is gone', async () => {
    const { time, log, steps } = process();
    const caller = new AbortController();
    const long = time.run({ therapistId: 'one', gone: caller.signal }, steps('a', 1_000));
    const next = time.run({ therapistId: 'one' }, steps('b', 3));
    await nextTurn();
    caller.abort();
    await expect(long).rejects.toMatchObject({ problem: busy });
    expect(short(log).length).toBeLessThan(20);
    expect(log).toContain('a ends');
    expect(await next).toBe('b');
  });

  it('stops work whose deadline has passed, and does not begin it after that', async () => {
    const { time, log, steps } = process();
    const late = time.run({ therapistId: 'one', deadline: Date.now() - 1 }, steps('a', 10));
    await expect(late).rejects.toMatchObject({ problem: busy });
    expect(log).toEqual([]);
  });

  it('ends work with the error of a step, and then runs the rest', async () => {
    const { time, steps } = process();
    function* broken(): Generator<void, void> {
      throw new Error('broken');
    }
    const failing = time.run({ therapistId: 'one' }, broken());
    const next = time.run({ therapistId: 'one' }, steps('b', 3));
    await expect(failing).rejects.toThrow('broken');
    expect(await next).toBe('b');
  });
});
