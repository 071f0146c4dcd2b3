import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { wireTo, type Wire } from './wire.js';

let server: Server;
let wire: Wire;

/** Starts a server that sends everything back. */
beforeEach(async () => {
  server = createServer((socket) => void socket.on('error', () => undefined).pipe(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  wire = await wireTo(`tcp://127.0.0.1:${(server.address() as AddressInfo).port}`);
});

afterEach(async () => {
  await wire.close();
  await new Promise((resolve) => server.close(resolve));
});

const dial = (): Socket => connect(Number(new URL(wire.url).port), '127.0.0.1').on('error', () => undefined);

async function opened(): Promise<Socket> {
  const socket = dial();
  await once(socket, 'connect');
  return socket;
}

/** Resolves once the socket is closed, also after an error. */
const closed = (socket: Socket): Promise<void> =>
  socket.closed ? Promise.resolve() : new Promise((resolve) => socket.once('close', () => resolve()));

async function echoOf(socket: Socket, text: string): Promise<string> {
  socket.write(text);
  return String((await once(socket, 'data'))[0]);
}

it('a wire carries bytes, and then the end of a connection', async () => {
  const socket = await opened();
  expect(await echoOf(socket, 'a')).toBe('a');
  socket.end('b');
  expect(String((await once(socket, 'data'))[0])).toBe('b');
  await closed(socket);
});

it('a wire carries bytes that were sent during a silence once it is over, on old and new connections', async () => {
  const old = await opened();
  expect(await echoOf(old, 'a')).toBe('a');
  wire.silence();
  const late = await opened();
  const echoes = Promise.all([echoOf(old, 'b'), echoOf(late, 'c')]);
  expect(await Promise.race([echoes, pause(50, 'nothing')])).toBe('nothing');
  wire.restore();
  expect(await echoes).toEqual(['b', 'c']);
  for (const socket of [old, late]) socket.destroy();
});

it('a wire that is cut breaks its connections, and refuses new ones until it is restored', async () => {
  const socket = await opened();
  wire.cut();
  await closed(socket);
  await closed(dial());
  wire.restore();
  const next = await opened();
  expect(await echoOf(next, 'a')).toBe('a');
  next.destroy();
});
