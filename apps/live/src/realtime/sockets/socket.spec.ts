import { EventEmitter } from 'node:events';
import { expect, it } from '@jest/globals';
import { WebSocket } from 'ws';
import { Allowances, single } from '../allowance.js';
import { EVENTS } from '../protocol/message.js';
import { serializerOf } from '../protocol/serializer.js';
import { ClientSocket, type SocketOptions } from './socket.js';

const ip = '192.0.2.1';

/** The tokens that are checked for a join which waits for its turn, and whose socket has this state when the turn comes. */
async function checkedAfter(readyState: number): Promise<number> {
  let checks = 0;
  const verify = () => {
    checks += 1;
    return new Promise<never>(() => undefined);
  };
  const nothing = (): void => undefined;
  const methods = { pause: nothing, resume: nothing, send: nothing, close: nothing };
  const { OPEN, CLOSED } = WebSocket;
  const socket = Object.assign(new EventEmitter(), methods, { OPEN, CLOSED, readyState: OPEN as number });
  const allowances = new Allowances();
  new ClientSocket({
    ...{ socket, serializer: serializerOf('1.0.0'), origin: { ip, id: 'request' } },
    parts: { authentication: { verify }, topics: {}, changes: {}, allowances },
    failed: (error: unknown) => expect(error).toBeUndefined(),
  } as unknown as SocketOptions);
  let isBusy = true;
  function* working(): Generator<void, void> {
    while (isBusy) yield;
  }
  const turns = allowances.ofAddress(ip);
  const busy = turns.inTurn(working());
  // A large message waits for its turn.
  const payload = { access_token: 'token', config: {}, padding: 'x'.repeat(8192) };
  const join = { topic: 'realtime:room', event: EVENTS.join, payload, ref: '1', join_ref: '1' };
  socket.emit('message', Buffer.from(JSON.stringify(join)), false);
  socket.readyState = readyState;
  if (readyState === CLOSED) socket.emit('close');
  isBusy = false;
  await Promise.all([busy, turns.inTurn(single(nothing))]);
  return checks;
}

it('a join that waits for its turn opens no channel once its socket is closed', async () => {
  expect(await checkedAfter(WebSocket.OPEN)).toBe(1);
  expect(await checkedAfter(WebSocket.CLOSED)).toBe(0);
});
