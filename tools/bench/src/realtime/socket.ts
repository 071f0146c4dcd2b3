// A client of realtime: a socket with one channel, which may listen to changes and times its heartbeats.

import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';

export interface RealtimeCaller {
  readonly origin: string;
  readonly apikey: string;
  readonly token: string;
}

type Frame = readonly [string | null, string | null, string, string, unknown];

const TOPIC = 'realtime:bench';
/** Larger messages are broadcasts, which are not read. */
const READ_BYTES = 100_000;

/**
 * Opens a socket and joins its channel.
 * @param changes that the socket listens to; the promise resolves once it is subscribed to them
 * @param onChange called with the text of each change
 * @throws {Error} when the socket or the channel is refused
 */
export async function openSocket(
  { origin, apikey, token }: RealtimeCaller,
  changes: readonly object[] = [],
  onChange: (text: string) => void = () => undefined,
) {
  const url = `${origin.replace('http', 'ws')}/realtime/v1/websocket?apikey=${apikey}&vsn=2.0.0`;
  const socket = new WebSocket(url, { perMessageDeflate: false });
  const { send, ask, replyTo } = conversation(socket, onChange);
  await once(socket, 'open');
  const subscribed = changes.length > 0 ? [replyTo('system')] : [];
  const joined = ask(TOPIC, 'phx_join', { config: { postgres_changes: changes }, access_token: token });
  for (const reply of await Promise.all([joined, ...subscribed]))
    if ((reply as { status?: unknown }).status !== 'ok') throw new Error(JSON.stringify(reply));
  const beat = (): Promise<unknown> => ask('phoenix', 'heartbeat', {});
  return {
    beat,
    broadcast: (payload: object): void =>
      send(null, TOPIC, 'broadcast', { type: 'broadcast', event: 'flood', payload }),
    /** Sends heartbeats, one after the other. @returns how long each took, in milliseconds */
    beats: (count: number, everyMs: number) => beats(beat, count, everyMs),
    /** Whether the client has been cut off. */
    isClosed: (): boolean => socket.readyState !== WebSocket.OPEN,
    /** Reads nothing from now on. */
    pause: (): void => socket.pause(),
    close: (): void => socket.terminate(),
  };
}

/** Sends messages and waits for replies. The message about subscriptions has no number: it is the reply to `system`. */
function conversation(socket: WebSocket, onChange: (text: string) => void) {
  const replied = new Map<string, (payload: unknown) => void>();
  let refs = 0;
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary || data.length > READ_BYTES) return;
    const text = data.toString();
    const [, ref, , event, payload] = JSON.parse(text) as Frame;
    if (event === 'phx_reply') replied.get(String(ref))?.(payload);
    else if (event === 'postgres_changes') onChange(text);
    else replied.get(event)?.(payload);
  });
  const closed = new Promise<never>((_, fail) =>
    socket.once('close', () => fail(new Error('socket closed'))),
  );
  closed.catch(() => undefined);
  const send = (...frame: unknown[]): void => socket.send(JSON.stringify(['1', ...frame]));
  const replyTo = (ref: string): Promise<unknown> =>
    Promise.race([new Promise((resolve) => replied.set(ref, resolve)), closed]).finally(() =>
      replied.delete(ref),
    );
  const ask = (topic: string, event: string, payload: object): Promise<unknown> => {
    const ref = String((refs += 1));
    send(ref, topic, event, payload);
    return replyTo(ref);
  };
  return { send, ask, replyTo };
}

async function beats(beat: () => Promise<unknown>, count: number, everyMs: number): Promise<number[]> {
  const took: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const began = performance.now();
    await beat();
    took.push(performance.now() - began);
    await pause(everyMs);
  }
  return took;
}
