import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import { Failure } from './failure.js';

/**
 * Below the ports that Linux, macOS and Windows give to outgoing connections: one of those could take the port before the process
 * that it is chosen for listens.
 */
const CHOSEN_FROM = [10_240, 32_768] as const;

/** Ports that were chosen before: their processes may not listen yet. */
const chosen = new Set<number>();

/** A free TCP port of the loopback address. No process that chooses ports has chosen it before and still runs. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(...CHOSEN_FROM);
    if (chosen.has(port)) continue;
    chosen.add(port);
    if ((await isFree(port)) && (await claim(port))) return port;
  }
}

/**
 * Claims a port against other processes that choose ports, until this one ends: the process that a port is chosen for does not
 * listen yet. The claim is a UDP socket with the same number, which leaves the TCP port free.
 * @returns false if another process has claimed it
 */
function claim(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4').unref();
    socket.once('error', () => socket.close(() => resolve(false)));
    socket.bind({ address: '127.0.0.1', port, exclusive: true }, () => resolve(true));
  });
}

const isFree = (port: number): Promise<boolean> =>
  listen('127.0.0.1', port).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') return false;
      throw error;
    },
  );

/**
 * Makes sure that `port` can be listened on.
 * @throws {Failure} when it is taken or not ours to take
 */
export async function requireFreePort(host: string, port: number): Promise<void> {
  await listen(host, port).catch((cause: NodeJS.ErrnoException) => {
    throw new Failure(reason(cause, host, port), { cause });
  });
}

function listen(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve()));
  });
}

function reason(error: NodeJS.ErrnoException, host: string, port: number): string {
  if (error.code === 'EADDRINUSE') {
    return `Port ${port} on ${host} is taken. Stop what listens there, or choose another: PORT=${port + 1} npm start`;
  }
  if (error.code === 'EACCES')
    return `Port ${port} needs more rights than this user has: choose one above 1023 by PORT.`;
  return `HOST=${host} PORT=${port} cannot be listened on: ${error.message}`;
}
