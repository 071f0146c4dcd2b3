// The two health checks of a process, for a supervisor or an orchestrator. They use Node's own HTTP server, because a web framework
// for two paths would be the largest part of a service's program.

import { createServer, type ServerResponse } from 'node:http';
import { listen, type ListenOptions, type Listening } from './listen.js';

/** Resolves to whether everything that the process needs is available. */
export type Readiness = () => Promise<boolean>;

/** A problem that does not stop the process from answering requests. */
export interface Trouble {
  /** The part of the process that has the problem, such as `relay` or `follower of clients`. */
  readonly place: string;
  readonly problem: string;
}

export interface HealthOptions extends ListenOptions {
  readonly isReady: Readiness;
  readonly troubles?: () => readonly Trouble[];
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
export function serveHealth({ isReady, troubles = () => [], ...address }: HealthOptions): Promise<Listening> {
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
  return listen(server, address);
}

function answer(response: ServerResponse, state: State): void {
  response
    .writeHead(state.status === 'unavailable' ? 503 : 200, {
      'Content-Type': 'application/json; charset=utf-8',
    })
    .end(JSON.stringify(state));
}
