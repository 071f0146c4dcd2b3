// The end of a connection whose caller still sends. Node would reset it, and the caller would lose the response (RFC 9112, section 9.6).

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How long a caller may go on after the response. */
const LINGER_MS = 1000;

/** Closes a connection that was ended. Node waits for the end of the other side, which may never come. */
export function destroyLater(socket: Socket): void {
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/** Sends a response, and drops the rest of the request before the response ends. */
export function endAfterRequest(response: ServerResponse, body: string | Uint8Array): void {
  const request = response.req;
  if (request.complete || request.destroyed) return void response.end(body);
  response.write(body);
  const end = (): void => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, LINGER_MS).unref();
  request.once('close', end).resume();
}
