// A name server on this machine, for tests: it answers questions about any name with the addresses that it is given.

import { createSocket } from 'node:dgram';
import ipaddr from 'ipaddr.js';

export interface NameServer {
  /** Host and port. */
  readonly address: string;
  /** Questions about IPv4 addresses so far. */
  readonly asked: () => number;
  readonly close: () => Promise<void>;
}

const TYPES = { 1: 'ipv4', 28: 'ipv6' } as const;

/** @param answer the addresses at the n-th question about IPv4 addresses; undefined: there is no answer at all */
export async function nameServer(
  answer: (asked: number) => readonly string[] | undefined,
): Promise<NameServer> {
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

/** A record about the name of the question, which is not to be kept. */
function recordOf(kind: 'ipv4' | 'ipv6', bytes: number[]): Buffer {
  const head = Buffer.from([0xc0, 12, 0, kind === 'ipv4' ? 1 : 28, 0, 1, 0, 0, 0, 0, 0, bytes.length]);
  return Buffer.concat([head, Buffer.from(bytes)]);
}
