// Calls of the feed, through the gateway.

import { expect } from '@jest/globals';
import { type Answer, answered, call, type Made, make, type Practice, stack } from '@practice/testing';

export interface Page {
  readonly events: readonly Sent['data'][];
  readonly cursor: string;
  readonly more: boolean;
}

interface Asking {
  readonly origin?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

type Caller = Pick<Practice, 'token'>;

/** Asks for a page. */
export const ask = ({ token }: Caller, query = '', { origin, headers }: Asking = {}): Promise<Answer> =>
  call(`/events/v1/${query}`, {
    ...(origin !== undefined && { origin }),
    headers: { authorization: `Bearer ${token}`, ...headers },
  });

/** Reads a page, and expects that it is not refused. */
export async function pageOf(caller: Caller, query = ''): Promise<Page> {
  const answer = await answered('the page', () => ask(caller, query));
  expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
  return answer.json as Page;
}

/** The cursor after the last event. */
export const now = async (caller: Caller): Promise<string> => (await pageOf(caller, '?cursor=now')).cursor;

export const shortTypes = ({ events }: Page): string[] => events.map(({ type }) => type.split('.')[2] ?? '');

/** Makes an event. */
export const spend = (of: Practice): Promise<Made> => make(of, 'expenses', { date: '2026-01-05', amount: 1 });

// A reader of server-sent events, like the one in browsers. Browsers have no way to send headers.

interface Sent {
  readonly id: string;
  readonly event: string;
  readonly data: {
    readonly type: string;
    readonly source: string;
    readonly subject: string;
    readonly position: number;
    readonly therapistid: string;
    readonly data: Readonly<Record<string, unknown>>;
  };
}

export type Source = Awaited<ReturnType<typeof openSource>>;

export interface SourceOptions {
  readonly token: string;
  readonly origin?: string | undefined;
  readonly query?: string;
  readonly lastEventId?: string | undefined;
}

/**
 * Opens a stream of events.
 * @returns `text` is the body of a refusal, `events` has the events that have arrived so far, `lastId` may be from a message without an
 *   event, `ended` is fulfilled when the response has ended or was cut off, and `close` cuts the connection
 */
export async function openSource(options: SourceOptions) {
  const { token, origin = stack().baseUrl, query = '', lastEventId } = options;
  const cut = new AbortController();
  const response = await fetch(`${origin}/events/v1/${query}`, {
    signal: cut.signal,
    headers: {
      ...{ accept: 'text/event-stream', apikey: stack().apikey, authorization: `Bearer ${token}` },
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    },
  });
  const { status } = response;
  const refusal = status === 200 ? '' : await response.text();
  const events: Sent[] = [];
  let lastId = lastEventId ?? '';
  const read = async (): Promise<void> => {
    if (status !== 200 || response.body === null) return;
    const decoder = new TextDecoder();
    let rest = '';
    for await (const piece of response.body) {
      rest += decoder.decode(piece as Uint8Array, { stream: true });
      const messages = rest.split('\n\n');
      rest = messages.pop() ?? '';
      for (const message of messages) {
        const fields = fieldsOf(message);
        lastId = fields.get('id') ?? lastId;
        const [event, data] = [fields.get('event'), fields.get('data')];
        if (event !== undefined && data !== undefined)
          events.push({ id: lastId, event, data: JSON.parse(data) as Sent['data'] });
      }
    }
  };
  // A reader reconnects in the same way after both kinds of end.
  const ended = read().catch(() => undefined);
  return { status, text: refusal, events, lastId: () => lastId, ended, close: () => cut.abort() };
}

const fieldsOf = (message: string): ReadonlyMap<string, string> =>
  new Map(
    message.split('\n').map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')] as const;
    }),
  );
