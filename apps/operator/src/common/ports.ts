import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import { Failure } from './failure.js';

/**
 * Below the ports that Linux, macOS and Windows give to outgoing connections: an outgoing connection could take the port before the
 * process that needs it listens.
 */
const CHOSEN_FROM = [10_240, 32_768] as const;

/** Ports that this process has chosen: the processes that need them may not listen yet. */
const chosen = new Set<number>();

/** Chooses a free TCP port of the loopback address. No other running process has chosen the same port here. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(...CHOSEN_FROM);
    if (chosen.has(port)) continue;
    chosen.add(port);
    if ((await isFree(port)) && (await claim(port))) return port;
  }
}

/**
 * Claims a port until this process ends, so that no other process chooses it before the process that needs it listens. The claim is
 * a UDP socket with the same number, which leaves the TCP port free.
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
 * Makes sure that this process can listen on `port`.
 * @throws {Failure} when the port is in use, or this user may not listen on it
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
