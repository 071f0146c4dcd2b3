// A name server on this machine, for tests. It answers questions about any name with given addresses.

import { createSocket } from 'node:dgram';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import ipaddr from 'ipaddr.js';
import { dnsResolve } from '@practice/outbound';
import { Sender } from '../src/sending/sender.js';

interface NameServer {
  /** Host and port. */
  readonly address: string;
  /** The number of questions about IPv4 addresses so far. */
  readonly asked: () => number;
  readonly close: () => Promise<void>;
}

const TYPES = { 1: 'ipv4', 28: 'ipv6' } as const;

/** @param answer the addresses at the n-th question about IPv4 addresses; undefined for no answer at all */
async function nameServer(answer: (asked: number) => readonly string[] | undefined): Promise<NameServer> {
  const socket = createSocket('udp4');
  let asked = 0;
  let addresses: readonly string[] | undefined;
  socket.on('message', (question, { port, address }) => {
    const end = question.indexOf(0, 12) + 5;
    const kind = TYPES[question.readUInt16BE(end - 4) as keyof typeof TYPES];
    // The question about IPv4 comes first.
    if (kind === 'ipv4') addresses = answer((asked += 1));
    if (addresses === undefined) return;
    const found = addresses.map((one) => ipaddr.parse(one)).filter((one) => one.kind() === kind);
    const header = Buffer.from(question.subarray(0, 12));
    header.writeUInt16BE(0x8180, 2);
    header.writeUInt16BE(found.length, 6);
    header.fill(0, 8, 12);
    const records = found.map((one) => recordOf(kind, one.toByteArray()));
    socket.send(Buffer.concat([header, question.subarray(12, end), ...records]), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked: () => asked,
    close: () => new Promise((resolve) => void socket.close(() => resolve())),
  };
}

/** A record for the name of the question. Resolvers must not cache it. */
function recordOf(kind: 'ipv4' | 'ipv6', bytes: number[]): Buffer {
  const head = Buffer.from([0xc0, 12, 0, kind === 'ipv4' ? 1 : 28, 0, 1, 0, 0, 0, 0, 0, bytes.length]);
  return Buffer.concat([head, Buffer.from(bytes)]);
}

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

it('a name server that changes its answer after the check has no effect: the connection uses the checked address', async () => {
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
  'the answer %s of a name server is refused, even together with a public address',
  async (address) => {
    const url = 'https://hook.example.com/';
    for (const answer of [[address], ['8.8.8.8', address], ['2606:4700::1112', address]]) {
      const server = await names(() => answer);
      expect((await senderAsking(server).send({ ...message, url })).error).toBe('the address is not public');
    }
  },
);

it('an attempt fails if the name server has no address or does not answer', async () => {
  const url = 'https://hook.example.com/';
  const silent = await names(() => undefined);
  for (const server of [await names(() => []), silent])
    expect((await senderAsking(server, 100).send({ ...message, url })).error).toBe(
      'the host name has no address',
    );
});
