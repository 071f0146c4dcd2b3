// A stream of events that is opened again when it ends, as browsers do.
import type { ApiAccess } from '@practice/start';
import { messagesIn } from '../kit/server-sent-events.js';

export interface EventStream {
  /** Ids of the events so far, in order. */
  readonly ids: readonly string[];
  /** How many connections have been made. */
  readonly connections: () => number;
  /** Connections that were refused. */
  readonly refused: readonly string[];
  readonly stop: () => Promise<void>;
}

/** Receives an event for each client that a practice has created, from the first one on. */
export function streamOf(access: Required<ApiAccess>): EventStream {
  const controller = new AbortController();
  const [ids, refused]: [string[], string[]] = [[], []];
  let [last, connections] = ['', 0];
  const once = async (): Promise<void> => {
    const response = await open(access, last, controller.signal);
    if (!response.ok || response.body === null) {
      refused.push(`${response.status} ${await response.text()}`);
      return;
    }
    connections += 1;
    for await (const { id, data } of messagesIn(response.body)) {
      last = id ?? last;
      if (data !== undefined) ids.push((JSON.parse(data) as { id: string }).id);
    }
  };
  const running = (async () => {
    while (!controller.signal.aborted) await once().catch(() => undefined);
  })();
  return {
    ids,
    refused,
    connections: () => connections,
    stop: async () => {
      controller.abort();
      await running;
    },
  };
}

const open = (
  { baseUrl, apikey, token }: Required<ApiAccess>,
  last: string,
  signal: AbortSignal,
): Promise<Response> =>
  fetch(`${baseUrl}/events/v1/?type=ClientRegistered`, {
    headers: {
      apikey,
      authorization: `Bearer ${token}`,
      accept: 'text/event-stream',
      ...(last !== '' && { 'last-event-id': last }),
    },
    signal,
  });
