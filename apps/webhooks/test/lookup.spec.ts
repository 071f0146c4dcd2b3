import { afterEach, expect, it } from '@jest/globals';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dnsResolve } from '../src/sending/lookup.js';
import { Sender } from '../src/sending/sender.js';
import { nameServer } from './name-server.js';
import type { NameServer } from './name-server.js';

const development = { allowsLoopback: true, forbidden: [] };
const message = { body: '{}', headers: {} };
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function names(answer: Parameters<typeof nameServer>[0]): Promise<NameServer> {
  const server = await nameServer(answer);
  closing.push(server.close);
  return server;
}

const senderAsking = ({ address }: NameServer, timeoutMs = 1_000): Sender =>
  new Sender(development, { resolve: dnsResolve({ servers: [address], timeoutMs }), timeoutMs: 15_000 });

it('a name server that changes its answer after the check changes nothing: the connection has the address that was checked', async () => {
  let connections = 0;
  const target = createServer().on('connection', (socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
  closing.push(() => target.close());
  const { port } = target.address() as AddressInfo;
  const server = await names((asked) => (asked === 1 ? ['127.0.0.1'] : ['10.0.0.1']));
  const sender = senderAsking(server);
  const url = `https://rebound.example.com:${port}/`;

  expect((await sender.send({ ...message, url })).error).toBe('the connection was closed');
  expect([server.asked(), connections]).toEqual([1, 1]);
  expect((await sender.send({ ...message, url })).error).toBe('the address is not public');
  expect([server.asked(), connections]).toEqual([2, 1]);
});

it.each([['10.0.0.1'], ['169.254.169.254'], ['fd00::1'], ['::ffff:10.0.0.1'], ['64:ff9b::a00:1']])(
  'a name server that answers %s is refused, also beside a public address',
  async (address) => {
    const url = 'https://hook.example.com/';
    for (const answer of [[address], ['8.8.8.8', address], ['2606:4700::1112', address]]) {
      const server = await names(() => answer);
      expect((await senderAsking(server).send({ ...message, url })).error).toBe('the address is not public');
    }
  },
);

it('a name server without an answer, or that does not answer, fails the attempt', async () => {
  const url = 'https://hook.example.com/';
  const silent = await names(() => undefined);
  for (const server of [await names(() => []), silent])
    expect((await senderAsking(server, 100).send({ ...message, url })).error).toBe(
      'the host name has no address',
    );
});
