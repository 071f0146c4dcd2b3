// Receivers of webhooks: real HTTP servers on this machine.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that has arrived. */
export interface Received {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly event: {
    readonly id: string;
    readonly type: string;
    readonly source: string;
    readonly data: object;
  };
  /** The short name of the type. */
  readonly type: string;
}

export type Behave = (response: ServerResponse, received: Received) => void;

export type Receiver = Awaited<ReturnType<typeof receiver>>;

export const accept: Behave = (response) => void response.writeHead(204).end();
export const answer =
  (status: number, headers: Record<string, string> = {}): Behave =>
  (response) =>
    void response.writeHead(status, headers).end('no');
/** Reads the request, and never answers. */
export const hang: Behave = () => undefined;

export async function receiver(behave: Behave = accept) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void read(request).then((one) => {
      received.push(one);
      made.behave(response, one);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const made = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    /** The requests in the order of their arrival. */
    received,
    /** The short names of the types of all received events. */
    types: () => received.map(({ type }) => type),
    behave,
    close: () => closed(server),
  };
  return made;
}

async function read(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString();
  const event = JSON.parse(body) as Received['event'];
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  );
  return { headers, body, event, type: event.type.split('.')[2] ?? '' };
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => void server.close(() => resolve()));
}
