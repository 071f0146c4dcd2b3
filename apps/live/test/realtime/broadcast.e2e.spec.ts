// Broadcasts and presence between clients of a practice, also on different live processes.

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call, eventually, newPractice, stack, type Practice } from '@practice/testing';
import type { RealtimeChannel } from '@supabase/supabase-js';
import { clientOf, closeClients, subscribed } from './clients.js';

let practice: Practice;
beforeAll(async () => {
  practice = await newPractice();
});
afterAll(closeClients);

interface Received {
  readonly event: string;
  readonly payload: unknown;
}

interface Config {
  readonly vsn?: string;
  readonly origin?: string;
  readonly of?: Practice;
  readonly self?: boolean;
  readonly ack?: boolean;
}

/** A channel on its own socket, with the broadcasts that it has received. */
async function channelOf(name: string, { of = practice, self, ack, ...options }: Config = {}) {
  const client = await clientOf(of, options);
  const broadcast = { self: self ?? false, ack: ack ?? false };
  const channel = client.channel(name, { config: { broadcast } });
  const received: Received[] = [];
  channel.on('broadcast', { event: '*' }, ({ event, payload }) =>
    received.push({ event, payload: payload as unknown }),
  );
  expect(await subscribed(channel)).toEqual(['SUBSCRIBED']);
  return { client, channel, received };
}

const send = (channel: RealtimeChannel, event: string, payload: unknown): Promise<string> =>
  channel.send({ type: 'broadcast', event, payload });

describe('a broadcast', () => {
  it('reaches the other channels of its name in the practice, in both protocols', async () => {
    const [one, two, self, elsewhere, foreign] = await Promise.all([
      channelOf('room', { vsn: '1.0.0' }),
      channelOf('room', { vsn: '2.0.0' }),
      channelOf('room', { self: true }),
      channelOf('another room'),
      channelOf('room', { of: await newPractice() }),
    ]);
    expect(await send(one.channel, 'é', { by: 'one' })).toBe('ok');
    await eventually('two has it', () => two.received.length === 1);
    expect(await send(two.channel, 'move', { by: 'two' })).toBe('ok');
    expect(await send(self.channel, 'move', { by: 'self' })).toBe('ok');
    await eventually('all have arrived', () => self.received.length === 3 && one.received.length === 2);
    await eventually('two has the last', () => two.received.length === 2);
    const by = ({ received }: { received: Received[] }) =>
      received.map((each) => (each.payload as { by: string }).by);
    expect([by(one).sort(), by(two).sort(), by(self).sort()]).toEqual([
      ['self', 'two'],
      ['one', 'self'],
      ['one', 'self', 'two'],
    ]);
    expect(two.received[0]?.event).toBe('é');
    await send(elsewhere.channel, 'end', {});
    expect([elsewhere.received, foreign.received]).toEqual([[], []]);
  });

  it('is acknowledged if the channel asks for it', async () => {
    const { channel } = await channelOf('acknowledged', { ack: true });
    expect(await send(channel, 'move', {})).toBe('ok');
  });

  it('may contain bytes, which clients of protocol 1.0.0 do not get', async () => {
    const [from, to, old] = await Promise.all([
      channelOf('bytes'),
      channelOf('bytes'),
      channelOf('bytes', { vsn: '1.0.0' }),
    ]);
    await send(from.channel, 'bytes', new Uint8Array([0, 255]).buffer);
    await send(from.channel, 'json', {});
    await eventually('both have arrived', () => to.received.length === 2 && old.received.length === 1);
    expect(new Uint8Array(to.received[0]?.payload as ArrayBuffer)).toEqual(new Uint8Array([0, 255]));
    expect(old.received[0]?.event).toBe('json');
  });

  it('is sent over HTTP by a channel that is not joined, and by `httpSend`', async () => {
    const { received } = await channelOf('by http');
    const { client } = await channelOf('not it');
    const outside = client.channel('by http');
    expect(await outside.httpSend('one/two', { by: 'http' })).toEqual({ success: true });
    expect(await send(outside, 'fallback', { by: 'send' })).toBe('ok');
    await eventually('both have arrived', () => received.length === 2);
    expect(received).toEqual([
      { event: 'one/two', payload: { by: 'http' } },
      { event: 'fallback', payload: { by: 'send' } },
    ]);
  });

  it.each<[string, string, unknown, number]>([
    ['no list', '', {}, 400],
    ['no JSON', '', '{', 400],
    ['no topic', '', { messages: [{ event: 'e', payload: {} }] }, 400],
    ['no payload', '', { messages: [{ event: 'e', topic: 't' }] }, 400],
    ['too many messages', '', { messages: Array(101).fill({ event: 'e', topic: 't', payload: {} }) }, 400],
    ['too many bytes', '/t/events/e', { text: 'x'.repeat(256 * 1024) }, 413],
    ['many more bytes', '/t/events/e', { text: 'x'.repeat(1_000_000) }, 413],
    ['too many levels', '/t/events/e', '['.repeat(65) + '1' + ']'.repeat(65), 400],
    ['a path that is not well encoded', '/%ff/events/e', {}, 400],
  ])('over HTTP is refused with %s', async (_, path, body, status) => {
    const headers = { authorization: `Bearer ${practice.token}` };
    const answer = await call(`/realtime/v1/api/broadcast${path}`, { method: 'POST', body, headers });
    expect([answer.status, answer.json]).toMatchObject([
      status,
      { code: status === 413 ? 'PM413' : 'PM400' },
    ]);
  });

  it('over HTTP needs a token', async () => {
    const body = { messages: [{ topic: 't', event: 'e', payload: {} }] };
    const answer = await call('/realtime/v1/api/broadcast', { method: 'POST', body });
    expect([answer.status, answer.json]).toMatchObject([401, { code: 'PGRST302' }]);
  });
});

describe('presence', () => {
  const keysOf = (channel: RealtimeChannel): string[] => Object.keys(channel.presenceState()).sort();
  const present = (channel: RealtimeChannel, keys: string[]): Promise<unknown> =>
    eventually(`${keys.join()} are present`, () => String(keysOf(channel)) === String(keys));

  /** A client that is present under a key. */
  async function presenceOf(key: string, options: Config & { readonly room: string }) {
    const client = await clientOf(options.of ?? practice, options);
    const channel = client.channel(options.room, { config: { presence: { key } } });
    const heard: string[] = [];
    channel.on('presence', { event: 'join' }, ({ key: joined }) => heard.push(`+${joined}`));
    channel.on('presence', { event: 'leave' }, ({ key: left }) => heard.push(`-${left}`));
    expect(await subscribed(channel)).toEqual(['SUBSCRIBED']);
    return { client, channel, heard };
  }

  it.each(['1.0.0', '2.0.0'])('has a state, joins, updates and leaves, with protocol %s', async (vsn) => {
    const room = `present ${vsn}`;
    const [ada, bob] = await Promise.all(['ada', 'bob'].map((key) => presenceOf(key, { vsn, room })));
    if (ada === undefined || bob === undefined) throw new Error('no clients');
    expect(await ada.channel.track({ at: 1 })).toBe('ok');
    await present(bob.channel, ['ada']);
    expect(await bob.channel.track({ at: 2 })).toBe('ok');
    await Promise.all([ada, bob].map(({ channel }) => present(channel, ['ada', 'bob'])));
    const late = await presenceOf('late', { vsn, room });
    await present(late.channel, ['ada', 'bob']);
    expect(late.channel.presenceState()).toMatchObject({ ada: [{ at: 1 }], bob: [{ at: 2 }] });

    expect(await bob.channel.track({ at: 3 })).toBe('ok');
    await eventually('the update has arrived', () =>
      JSON.stringify(ada.channel.presenceState()).includes('"at":3'),
    );
    expect(ada.channel.presenceState()['bob']).toHaveLength(1);
    expect(await bob.channel.untrack()).toBe('ok');
    await present(ada.channel, ['ada']);
    await ada.client.removeAllChannels();
    await present(bob.channel, []);
    expect(bob.heard.filter((each) => each === '+ada' || each === '-ada')).toEqual(['+ada', '-ada']);
  });

  it('has several presences of one key, and no presence of another practice', async () => {
    const foreign = await presenceOf('ada', { room: 'shared', of: await newPractice() });
    const devices = await Promise.all([1, 2].map(() => presenceOf('ada', { room: 'shared' })));
    for (const [index, { channel }] of [...devices, foreign].entries()) await channel.track({ index });
    const [one] = devices;
    await eventually('both devices are present', () => one?.channel.presenceState()['ada']?.length === 2);
    expect(foreign.channel.presenceState()['ada']).toHaveLength(1);
  });

  it('refuses a presence that is too large', async () => {
    const { channel } = await presenceOf('ada', { room: 'large' });
    expect(await channel.track({ text: 'x'.repeat(5_000) })).toBe('error');
    expect(await channel.track({ text: 'x' })).toBe('ok');
  });
});

describe('with two live processes', () => {
  type Process = Awaited<ReturnType<ReturnType<typeof stack>['spawnProcess']>>;
  let [live, gateway]: Process[] = [];
  beforeAll(async () => {
    live = await stack().spawnProcess('live');
    gateway = await stack().spawnProcess('gateway', { LIVE_URLS: live.origin });
  });
  afterAll(() => Promise.all([live?.stop(), gateway?.stop()]));

  it('broadcasts and presences reach the clients of both, and presences end with their process', async () => {
    const origin = gateway?.origin ?? '';
    const here = await channelOf('both');
    const there = await channelOf('both', { origin });
    await send(here.channel, 'from here', {});
    await send(there.channel, 'from there', {});
    await eventually('both have arrived', () => here.received.length === 1 && there.received.length === 1);
    expect([here.received[0]?.event, there.received[0]?.event]).toEqual(['from there', 'from here']);

    const inRoom = async (key: string, options: { origin?: string }) => {
      const client = await clientOf(practice, options);
      const channel = client.channel('staff', { config: { presence: { key, enabled: true } } });
      expect(await subscribed(channel)).toEqual(['SUBSCRIBED']);
      await channel.track({});
      return channel;
    };
    const ada = await inRoom('ada', {});
    const bob = await inRoom('bob', { origin });
    const keys = (channel: RealtimeChannel): string => Object.keys(channel.presenceState()).sort().join();
    await eventually('both are present', () => keys(ada) === 'ada,bob' && keys(bob) === 'ada,bob');
    process.kill(live?.pid ?? 0, 'SIGKILL');
    await eventually('the presence of the killed process is gone', () => keys(ada) === 'ada');
  });
});
