import { expect, it } from '@jest/globals';
import { beforeScrape, gauge, scrape } from './instruments.js';

it('a value that cannot be read is left out of the scrape, with and without labels', async () => {
  let isBroken = false;
  const [events, practices] = [gauge('practice_outbox_events'), gauge('practice_rebuild_practices')];
  const stop = beforeScrape([events, practices], () => {
    events.set(7);
    practices.set({ state: 'all' }, 3);
    if (isBroken) throw new Error('the database is away');
  });
  const values = async (): Promise<string[]> =>
    (await scrape()).split('\n').filter((line) => /^practice_(outbox_events|rebuild_practices)\b/.test(line));

  expect(await values()).toEqual(['practice_outbox_events 7', 'practice_rebuild_practices{state="all"} 3']);
  isBroken = true;
  expect(await values()).toEqual([]);
  isBroken = false;
  expect(await values()).toHaveLength(2);
  stop();
});

it('a scrape during another one does not empty its values', async () => {
  const [events, practices] = [gauge('practice_outbox_events'), gauge('practice_rebuild_practices')];
  const opened: (() => void)[] = [];
  const gate = (): Promise<void> => new Promise((open) => opened.push(open));
  const [first, second] = [gate(), gate()];
  let reads = 0;
  const stops = [
    beforeScrape([events], async () => {
      if (reads++ > 0) await second;
      events.set(7);
    }),
    beforeScrape([practices], () => first),
  ];
  const earlier = scrape();
  await new Promise(setImmediate); // It reads now.
  const later = scrape();
  expect(later).not.toBe(earlier);
  await new Promise(setImmediate); // Without turns, the later one would empty the values here.
  opened[0]?.();
  expect(await earlier).toMatch(/^practice_outbox_events 7$/m);
  opened[1]?.();
  expect(await later).toMatch(/^practice_outbox_events 7$/m);
  for (const stop of stops) stop();
});
