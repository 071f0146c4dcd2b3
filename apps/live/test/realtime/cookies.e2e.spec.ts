// Pages of other sites. A browser sends cookies with every WebSocket that any page opens, so a cookie must not count there.

import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { call, eventually, make, newPractice, stack, type Practice } from '@practice/testing';
import { WebSocket } from 'ws';
import { clientOf, closeClients, subscribed } from './clients.js';

const TOPIC = 'realtime:cookies';
const sockets: WebSocket[] = [];

let practice: Practice;
let cookie: string;

beforeAll(async () => {
  practice = await newPractice();
  cookie = `__Host-practice-access=${practice.token}`;
});
afterAll(async () => {
  await closeClients();
  for (const socket of sockets) socket.terminate();
});

/** Opens a socket like a page in the browser of a member who is signed in by cookie. */
async function openFrom(origin: string, headers: Readonly<Record<string, string>> = {}) {
  const url = `${stack().baseUrl.replace('http', 'ws')}/realtime/v1/websocket?vsn=2.0.0&apikey=${stack().apikey}`;
  const socket = new WebSocket(url, { headers: { cookie, origin, ...headers } });
  sockets.push(socket);
  const received: unknown[][] = [];
  socket.on('message', (data: Buffer, isBinary) =>
    received.push(isBinary ? [data] : (JSON.parse(data.toString()) as unknown[])),
  );
  await eventually('the socket is open', () => socket.readyState === WebSocket.OPEN);
  let refs = 0;
  const join = async (payload: object): Promise<unknown> => {
    const ref = String((refs += 1));
    const config = { postgres_changes: [{ event: '*', schema: 'public', table: '*' }] };
    socket.send(JSON.stringify([ref, ref, TOPIC, 'phx_join', { config, ...payload }]));
    const reply = await eventually('the join is answered', () =>
      received.find(([, answered, , event]) => answered === ref && event === 'phx_reply'),
    );
    return reply?.[4];
  };
  return { socket, received, join };
}

it.each<[string, () => string]>([
  ['another site', () => 'https://evil.example.com'],
  ['a sandboxed frame', () => 'null'],
  ['the site of the API', () => stack().baseUrl],
])('a page of %s cannot join a channel by cookie, and gets no message', async (_, origin) => {
  expect((await call('/rest/v1/clients', { headers: { cookie } })).status).toBe(200);
  const { socket, received, join } = await openFrom(origin(), {
    authorization: `Bearer ${practice.token}`,
  });
  const tokens = [{}, { access_token: null }, { access_token: '' }, { access_token: stack().apikey }];
  for (const payload of [...tokens, { user_token: practice.token }])
    expect(await join(payload)).toMatchObject({ status: 'error' });
  socket.send(JSON.stringify(['1', null, TOPIC, 'access_token', { access_token: practice.token }]));
  const answers = received.length;

  const listener = (await clientOf(practice)).channel('cookies', { config: { broadcast: { self: true } } });
  const heard: unknown[] = [];
  listener.on('broadcast', { event: 'news' }, ({ payload }: { payload: unknown }) => heard.push(payload));
  expect(await subscribed(listener)).toEqual(['SUBSCRIBED']);
  socket.send(JSON.stringify(['1', null, TOPIC, 'broadcast', { event: 'news', payload: { by: 'a page' } }]));
  await make(practice, 'clients', { name: 'Ada' });
  await listener.send({ type: 'broadcast', event: 'news', payload: { by: 'a member' } });
  await eventually('the member has heard the broadcast', () => heard.length > 0);

  expect(heard).toEqual([{ by: 'a member' }]);
  expect(received.slice(answers)).toEqual([]);
  expect(await join({ access_token: practice.token })).toMatchObject({ status: 'ok' });
  socket.terminate();
});

it.each([
  ['messages', '', { messages: [{ topic: 'cookies', event: 'news', payload: {} }] }],
  ['one message', '/cookies/events/news', {}],
])('a form of another site cannot broadcast %s by cookie', async (_, path, body) => {
  const headers = { cookie, origin: 'https://evil.example.com', 'content-type': 'text/plain' };
  const url = `${stack().baseUrl}/realtime/v1/api/broadcast${path}?apikey=${stack().apikey}`;
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  expect([answer.status, await answer.json()]).toMatchObject([
    401,
    { hint: 'A call by cookie that changes something needs the `apikey` request header.' },
  ]);
});
