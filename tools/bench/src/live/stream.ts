// A reader of the feed that counts events and does not store them.

import { Agent, request } from 'node:http';
import type { RealtimeCaller } from '../realtime/socket.js';

export interface StreamOptions extends RealtimeCaller {
  /** Called with the number of events in each piece of the stream. */
  readonly onEvents: (count: number) => void;
}

const EVENT = '\nevent: ';
const agent = new Agent({ keepAlive: false });

/** Opens a stream of the events from now on. @throws {Error} when it is refused */
export function openStream({ origin, apikey, token, onEvents }: StreamOptions): Promise<void> {
  const headers = { accept: 'text/event-stream', apikey, authorization: `Bearer ${token}` };
  return new Promise((resolve, fail) => {
    const call = request(`${origin}/events/v1/?cursor=now`, { agent, headers });
    call.once('error', fail).once('response', (response) => {
      if (response.statusCode !== 200) return fail(new Error(`a stream was answered ${response.statusCode}`));
      let rest = '';
      response.setEncoding('latin1').on('data', (piece: string) => {
        const parts = (rest + piece).split(EVENT);
        rest = (parts.at(-1) ?? '').slice(-EVENT.length);
        if (parts.length > 1) onEvents(parts.length - 1);
      });
      resolve();
    });
    call.end();
  });
}
