import { describe as suite, expect, it } from '@jest/globals';
import { AckPolicy } from '@nats-io/jetstream';
import { setTimeout as pause } from 'node:timers/promises';
import { describe } from './consumers.js';
import { readDelivery, type Delivery } from './delivery.js';
import { STREAM } from './envelope.js';
import { joinConsumers, type Served } from './join.js';
import { lamp, lamps, until, upTo } from './testing/lamps.js';

const { fresh, connected, publish, streams } = lamps();

/** Creates a consumer of the spec's subscription by hand. Its deliveries are collected and not acknowledged. */
async function bound(name: string, replaces?: string): Promise<{ served: Served; received: Delivery[] }> {
  const { nats } = await connected();
  const received: Delivery[] = [];
  const inbox = `spec.${name}`;
  nats.subscribe(inbox, {
    callback: (_, message) => {
      const delivery = readDelivery(message);
      if (delivery !== undefined) received.push(delivery);
    },
  });
  await nats.flush();
  await (
    await streams()
  ).consumers.add(STREAM, {
    durable_name: name,
    description: describe(fresh.subjects, replaces),
    filter_subject: fresh.subjects[0] as string,
    deliver_subject: inbox,
    ack_policy: AckPolicy.Explicit,
  });
  const served = {
    consumer: { name, takes: fresh.subjects },
    takes: () => true,
    binding: undefined,
    last: 0,
    parked: new Set<number>(),
  };
  return { served, received };
}

suite('joining the consumers of a subscription', () => {
  it('waits until this process has the events that the added consumer delivered', async () => {
    const connection = await connected();
    await publish(upTo(10).map((position) => lamp('one', position)));
    const main = await bound(fresh.name);
    const next = await bound(`${fresh.name}~2`, fresh.name);
    await until(() => main.received.length === 10 && next.received.length === 10);
    main.received.forEach((one) => one.ack());
    main.served.last = main.received.at(-1)?.streamSequence as number;

    let isOver = false;
    const joining = joinConsumers(
      {
        connection,
        streams: await streams(),
        wanted: { name: fresh.name, takes: fresh.subjects, start: 'first', window: 10 },
        main: main.served,
        next: next.served,
        held: new Map(),
        setLimit: () => {},
      },
      () => false,
    ).finally(() => (isOver = true));
    await pause(200);
    expect(isOver).toBe(false);

    next.received.forEach((one) => one.ack());
    expect(await joining).toBe('joined');
  });
});
