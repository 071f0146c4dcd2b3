// The two health checks of a process, for a supervisor or an orchestrator. They use Node's own HTTP server, because a web framework
// for two paths would be the largest part of a service's program.

import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Resolves to whether everything that the process needs is available. */
export type Readiness = () => Promise<boolean>;

/** A problem that does not stop the process from answering requests. */
export interface Trouble {
  /** The part of the process that has the problem, such as `relay` or `follower of clients`. */
  readonly place: string;
  readonly problem: string;
}

export interface HealthOptions {
  readonly host: string;
  /** The port to listen on; 0 for any free port. */
  readonly port: number;
  readonly isReady: Readiness;
  readonly troubles?: () => readonly Trouble[];
}

export interface Health {
  readonly url: string;
  close(): Promise<void>;
}

interface State {
  readonly status: 'ok' | 'degraded' | 'unavailable';
  readonly troubles?: readonly Trouble[];
}

/**
 * Serves GET `/livez`, which is always 200 `{"status":"ok"}`, and GET `/readyz`. If the process is ready, `/readyz` is 200 with the
 * status `ok`, or with `degraded` and `troubles` if there are any. Otherwise it is 503 `{"status":"unavailable"}`. Other requests get 404.
 * @throws {Error} when it cannot listen on this address
 */
export async function serveHealth({
  host,
  port,
  isReady,
  troubles = () => [],
}: HealthOptions): Promise<Health> {
  const ready = (): State => {
    const found = troubles();
    return found.length === 0 ? { status: 'ok' } : { status: 'degraded', troubles: found };
  };
  const states: Readonly<Record<string, () => Promise<State>>> = {
    '/livez': () => Promise.resolve({ status: 'ok' }),
    '/readyz': () =>
      isReady().then(
        (isUp) => (isUp ? ready() : { status: 'unavailable' }),
        () => ({ status: 'unavailable' }),
      ),
  };
  const server = createServer((request, response) => {
    const state = request.method === 'GET' ? states[request.url ?? ''] : undefined;
    if (state === undefined) response.writeHead(404).end();
    else void state().then((said) => answer(response, said));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return { url: urlOf(server), close: () => closed(server) };
}

function answer(response: ServerResponse, state: State): void {
  response
    .writeHead(state.status === 'unavailable' ? 503 : 200, {
      'Content-Type': 'application/json; charset=utf-8',
    })
    .end(JSON.stringify(state));
}

function urlOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
