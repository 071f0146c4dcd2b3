// Hostile and unlucky clients: limits, malformed messages, and a live process that dies.

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  call,
  eventually,
  make,
  newPractice,
  samplesIn,
  scrapeText,
  stack,
  sumOf,
  type Answer,
  type Practice,
} from '@practice/testing';
import { WebSocket } from 'ws';
import { clientOf, closeClients, listen, subscribed } from './clients.js';

let practice: Practice;
const sockets: WebSocket[] = [];

beforeAll(async () => {
  practice = await newPractice();
});
afterAll(async () => {
  await closeClients();
  for (const socket of sockets) socket.terminate();
});

const urlOf = (query: string, origin = stack().baseUrl): string =>
  `${origin.replace('http', 'ws')}/realtime/v1/websocket${query}`;

/** A plain socket with all that it has received. */
async function open(query = `?apikey=${stack().apikey}&vsn=2.0.0`, origin?: string) {
  const socket = new WebSocket(urlOf(query, origin));
  sockets.push(socket);
  const received: unknown[][] = [];
  const end: { code?: number; status?: number } = {};
  socket.on('message', (data: Buffer, isBinary) => {
    if (!isBinary) received.push(JSON.parse(data.toString()) as unknown[]);
  });
  socket.on('close', (code) => (end.code = code));
  socket.on('unexpected-response', (_, { statusCode }) => {
    end.status = statusCode ?? 0;
    socket.terminate();
  });
  socket.on('error', () => undefined);
  await eventually('the socket is open or refused', () => socket.readyState === WebSocket.OPEN || end.status);
  const send = (...message: unknown[]): void => socket.send(JSON.stringify(message));
  const join = async (topic: string, { token }: { token: string } = practice): Promise<unknown> => {
    const ref = `join ${topic}`;
    send(ref, ref, topic, 'phx_join', { config: {}, access_token: token });
    const reply = await eventually('the reply has arrived', () =>
      received.find(([, answered]) => answered === ref),
    );
    return (reply?.[4] as { response: unknown }).response;
  };
  return { socket, received, end, send, join };
}

describe('a socket', () => {
  it.each<[string, string, number]>([
    ['without an API key', '?vsn=2.0.0', 401],
    ['with a wrong API key', '?apikey=wrong&vsn=2.0.0', 401],
  ])('%s is refused', async (_, query, status) => {
    expect((await open(query)).end.status).toBe(status);
  });

  it('of an unknown version is refused', async () => {
    expect((await open(`?apikey=${stack().apikey}&vsn=9.0.0`)).end.status).toBe(400);
  });

  it('answers heartbeats, and messages to channels that it has not joined', async () => {
    const { send, received } = await open();
    send(null, '1', 'phoenix', 'heartbeat', {});
    send(null, '2', 'realtime:nowhere', 'broadcast', {});
    send(null, '3', 'nonsense', 'phx_join', {});
    await eventually('all are answered', () => received.length === 3);
    expect(received).toEqual([
      [null, '1', 'phoenix', 'phx_reply', { status: 'ok', response: {} }],
      [
        null,
        '2',
        'realtime:nowhere',
        'phx_reply',
        { status: 'error', response: { reason: 'unmatched topic' } },
      ],
      [null, '3', 'nonsense', 'phx_reply', { status: 'error', response: { reason: 'unmatched topic' } }],
    ]);
  });

  it.each<[string, string | Buffer]>([
    ['text that is not JSON', '{'],
    ['JSON that is no message', '[1,2]'],
    ['a binary frame that ends too early', Buffer.from([3, 200, 200])],
  ])('is closed after %s', async (_, data) => {
    const { socket, end } = await open();
    socket.send(data);
    await eventually('the socket is closed', () => end.code);
    expect(end.code).toBe(1002);
  });

  it('is closed after a message that is too large', async () => {
    const { socket, end } = await open();
    socket.send('x'.repeat(257 * 1024));
    await eventually('the socket is closed', () => end.code);
    expect(end.code).toBe(1009);
  });

  it('is closed after too many messages, and its channel hears why', async () => {
    const { send, end, join, received } = await open();
    await join('realtime:flood');
    for (let index = 0; index < 2_000; index += 1) send(null, null, 'realtime:flood', 'nothing', {});
    await eventually('the socket is closed', () => end.code);
    expect(end.code).toBe(1008);
    expect(JSON.stringify(received)).toContain('Too many messages per second');
  });

  it('may have a limited number of channels', async () => {
    const { join } = await open();
    const joins = Array.from({ length: 100 }, (_, index) => join(`realtime:${index}`));
    await Promise.all(joins);
    expect(await join('realtime:one more')).toEqual({ reason: 'ChannelRateLimitReached: Too many channels' });
    expect(await join('realtime:7')).toEqual({ postgres_changes: [] });
  });

  it('gets phx_close after the reply to phx_leave, as in Supabase', async () => {
    const { send, join, received } = await open();
    await join('realtime:left');
    send('join realtime:left', 'leave', 'realtime:left', 'phx_leave', {});
    await eventually('the channel is closed', () => received.length === 3);
    expect(received.slice(1)).toEqual([
      ['join realtime:left', 'leave', 'realtime:left', 'phx_reply', { status: 'ok', response: {} }],
      ['join realtime:left', 'join realtime:left', 'realtime:left', 'phx_close', {}],
    ]);
  });

  it('is refused to a member who has 50 other sockets, but not to another member', async () => {
    const [busy, other] = await Promise.all([newPractice(), newPractice()]);
    const joined = await Promise.all(
      Array.from({ length: 50 }, async () => {
        const { join, socket } = await open();
        return { response: await join('realtime:many', busy), socket };
      }),
    );
    for (const { response } of joined) expect(response).toEqual({ postgres_changes: [] });
    const { join } = await open();
    expect(await join('realtime:many', busy)).toEqual({
      reason: 'ConnectionRateLimitReached: Too many connected users',
    });
    expect(await join('realtime:other', other)).toEqual({ postgres_changes: [] });
    joined[0]?.socket.terminate();
    await eventually('there is room again', async () =>
      JSON.stringify(await (await open()).join('realtime:many', busy)).includes('postgres_changes'),
    );
  });

  it('has the token that it sends while its join is still checked', async () => {
    const [{ send, received }, foreign] = await Promise.all([open(), newPractice()]);
    send('1', '1', 'realtime:early', 'phx_join', { config: {}, access_token: practice.token });
    send('1', '2', 'realtime:early', 'access_token', { access_token: foreign.token });
    await eventually('the token counts', () =>
      JSON.stringify(received).includes('The token is for another practice'),
    );
  });

  it('that broadcasts more bytes than its practice may send loses its channel, and other sockets stay', async () => {
    const loud = await newPractice();
    const [sender, receivers] = await Promise.all([
      open(),
      Promise.all(Array.from({ length: 10 }, () => open())),
    ]);
    for (const each of [sender, ...receivers]) await each.join('realtime:loud', loud);
    const payload = { type: 'broadcast', event: 'large', payload: { text: 'x'.repeat(250 * 1024) } };
    const arrivedAt = receivers.map(({ socket }) => {
      let count = 0;
      socket.on('message', ({ length }: Buffer) => (count += length > 250 * 1024 ? 1 : 0));
      return () => count;
    });
    let sent = 0;
    await eventually('the channel is closed', () => {
      // No more bytes are under way than may wait for a client: on a busy machine, the receivers read slowly.
      for (const most = 3 + Math.min(...arrivedAt.map((count) => count())); sent < most; sent += 1)
        sender.send(null, null, 'realtime:loud', 'broadcast', payload);
      return sender.received.some(([, , , event]) => event === 'phx_close');
    });
    expect(JSON.stringify(sender.received)).toContain('Too many bytes per second');
    expect(receivers.map(({ end }) => end)).toEqual(receivers.map(() => ({})));
    const headers = { authorization: `Bearer ${loud.token}` };
    const send = (): Promise<Answer> =>
      call('/realtime/v1/api/broadcast/loud/events/large', { method: 'POST', headers, body: payload });
    // While a single call is under way, a busy machine regains the bytes of a message.
    const answer = await eventually('HTTP is refused', async () =>
      (await Promise.all([send(), send(), send()])).find(({ status }) => status !== 202),
    );
    expect([answer.status, answer.json]).toMatchObject([429, { code: 'PM004' }]);
  });

  it('that does not read is closed', async () => {
    // Without a gateway: the buffers of two connections could hold all bytes that a practice may send at once.
    const { origin, stop } = await stack().spawnProcess('live');
    try {
      const [slow, fast] = await Promise.all([open(undefined, origin), open(undefined, origin)]);
      await Promise.all([slow, fast].map(({ join }) => join('realtime:slow')));
      slow.socket.pause();
      const payload = { type: 'broadcast', event: 'large', payload: { text: 'x'.repeat(250 * 1024) } };
      for (let index = 0; index < 100; index += 1)
        fast.send(null, null, 'realtime:slow', 'broadcast', payload);
      fast.send(null, 'last', 'phoenix', 'heartbeat', {});
      await eventually('all were taken', () => fast.received.some(([, ref]) => ref === 'last'));
      slow.socket.resume();
      await eventually('the socket is closed', () => slow.end.code);
      expect(slow.end.code).toBe(1006);
    } finally {
      await stop();
    }
  });
});

it('a live process stops without the answer of a client that is gone', async () => {
  const live = await stack().spawnProcess('live');
  const { socket, end } = await open(undefined, live.origin);
  // It does not read, so it does not answer that its socket is closed.
  socket.pause();
  await live.stop();
  expect(await live.exited).toMatchObject({ code: 0 });
  socket.resume();
  await eventually('the socket is closed', () => end.code);
});

it('an unknown path under /realtime/v1 is not found', async () => {
  const headers = { authorization: `Bearer ${practice.token}` };
  const answer = await call('/realtime/v1/nothing', { headers });
  expect(answer.status).toBe(404);
});

it('a client reconnects after its live process has died, and gets changes from another process', async () => {
  const [dying, lasting] = await Promise.all([stack().spawnProcess('live'), stack().spawnProcess('live')]);
  const gateway = await stack().spawnProcess('gateway', { LIVE_URLS: `${dying.origin},${lasting.origin}` });
  const socketsOf = async ({ metrics }: typeof dying): Promise<number> =>
    sumOf(samplesIn(await scrapeText(metrics)), 'practice_realtime_sockets');
  try {
    const listeners: { heard: unknown[]; statuses: string[] }[] = [];
    // The gateway selects the process of a socket at random.
    await eventually('each process has a socket', async () => {
      const channel = (await clientOf(practice, { origin: gateway.origin })).channel('restarts');
      const heard = listen(channel, { table: 'clients', event: 'INSERT' });
      listeners.push({ heard, statuses: await subscribed(channel) });
      return (await socketsOf(dying)) > 0 && (await socketsOf(lasting)) > 0;
    });
    await make(practice, 'clients', { name: 'Ada' });
    await eventually('all have heard', () => listeners.every(({ heard }) => heard.length === 1));
    const lost = await socketsOf(dying);
    process.kill(dying.pid, 'SIGKILL');
    await eventually(
      'the clients are back',
      () =>
        listeners.filter(({ statuses }) => statuses.at(-1) === 'SUBSCRIBED' && statuses.length > 1).length ===
        lost,
    );
    await make(practice, 'clients', { name: 'Bob' });
    await eventually('all have heard again', () => listeners.every(({ heard }) => heard.length === 2));
  } finally {
    await Promise.all([lasting.stop(), dying.stop(), gateway.stop()]);
  }
});
