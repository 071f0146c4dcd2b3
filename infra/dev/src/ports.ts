import { createServer } from 'node:net';
import { Failure } from './failure.js';

/** A free TCP port of the loopback address. */
export async function freePort(): Promise<number> {
  return listen('127.0.0.1', 0);
}

/**
 * Makes sure that `port` can be listened on.
 * @throws {Failure} when it is taken or not ours to take
 */
export async function requireFreePort(host: string, port: number): Promise<void> {
  await listen(host, port).catch((cause: NodeJS.ErrnoException) => {
    throw new Failure(reason(cause, host, port), { cause });
  });
}

function listen(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ host, port, exclusive: true }, () => {
      const address = server.address();
      const taken = typeof address === 'object' && address !== null ? address.port : port;
      server.close(() => resolve(taken));
    });
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
