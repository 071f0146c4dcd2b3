import { expect, it } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import { serviceNames } from '@practice/contracts';
import type { FeedEvent } from './feed-event.js';
import { Following } from './following.js';
import type { Owners } from './owners.js';
import { Topic } from './topic.js';
import type { Topics } from './topics.js';

const event = { service: serviceNames[0], position: 1, aggregate: 'lamp' } as FeedEvent;
/** More steps than a follower needs to find out that there is nothing new. */
const STEPS = 100;

/** A follower of a topic with events that the bus has delivered. */
function follow(topic: Topic, onEvent: (event: FeedEvent) => void): Following {
  const topics = { join: (_: string, wake: () => void) => ({ topic, leave: topic.join(wake) }) };
  return new Following(
    {
      therapistId: 'practice',
      topics: topics as unknown as Topics,
      owners: {} as Owners,
      onEvent,
      onError: (error) => expect(error).toBeUndefined(),
    },
    {},
  );
}

it('a follower delivers an event, whichever of its steps the event arrives in', async () => {
  const missed: number[] = [];
  for (let step = 0; step < STEPS; step += 1) {
    const topic = new Topic();
    const delivered: FeedEvent[] = [];
    const following = follow(topic, (one) => delivered.push(one));
    for (let done = 0; done < step; done += 1) await Promise.resolve();
    topic.hear(event);
    await setImmediate();
    if (delivered.length === 0) missed.push(step);
    following.stop();
  }
  expect(missed).toEqual([]);
});

it('a listener can stop its follower at an event that has arrived before the follower began', async () => {
  const topic = new Topic();
  topic.hear(event);
  topic.hear({ ...event, position: 2 });
  const delivered: FeedEvent[] = [];
  const following = follow(topic, (one) => {
    delivered.push(one);
    following.stop();
  });
  await setImmediate();
  expect(delivered).toEqual([event]);
});
