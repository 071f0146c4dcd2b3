// Receivers of webhooks: real HTTP servers on this machine.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from '@practice/process';
import { eventually } from '@practice/testing';
import type { Client } from 'pg';

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
  const { url, close } = await listen(server, { host: '127.0.0.1', port: 0 });
  const made = {
    url: `${url}/hook`,
    /** The requests in the order of their arrival. */
    received,
    /** The short names of the types of all received events. */
    types: () => received.map(({ type }) => type),
    behave,
    close,
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

/** Waits for the first failure, and delays the second attempt. Otherwise, it would follow after 5 s, which a busy machine may need. */
export const postponed = (admin: Client, { id }: { readonly id: string }): Promise<unknown> =>
  eventually('the second attempt is postponed', async () => {
    const { rowCount } = await admin.query(
      `UPDATE webhooks.webhook_progress SET next_attempt_at = now() + interval '1 hour' WHERE id = $1 AND failures = 1`,
      [id],
    );
    return rowCount === 1;
  });
