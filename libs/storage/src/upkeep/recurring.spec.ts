import { expect, it } from '@jest/globals';
import { Recurring } from './recurring.js';

/** Work whose runs end when the spec lets them. */
function gatedWork() {
  const ends: ((error?: Error) => void)[] = [];
  const work = () =>
    new Promise<void>((resolve, reject) => ends.push((error) => (error ? reject(error) : resolve())));
  const errors: unknown[] = [];
  const recurring = new Recurring(work, { everyMs: 60_000, onError: (error) => errors.push(error) });
  return { recurring, ends, errors };
}

const settled = () => new Promise(setImmediate);

it('work that is asked for again while it is done is done once more, also after a failure', async () => {
  const { recurring, ends, errors } = gatedWork();
  const done = recurring.once();
  await Promise.all([recurring.again(), recurring.again(), recurring.once()]);
  expect(ends).toHaveLength(1);
  const failure = new Error('away');
  ends[0]?.(failure);
  await settled();
  expect([ends.length, errors]).toEqual([2, [failure]]);
  ends[1]?.();
  await done;
  expect(ends).toHaveLength(2);
});

it('work that is asked for again is not done after the stop', async () => {
  const { recurring, ends } = gatedWork();
  const done = recurring.once();
  await recurring.again();
  recurring.stop();
  ends[0]?.();
  await done;
  expect(ends).toHaveLength(1);
});
