// A socket of realtime with one channel, which times its heartbeats.

import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';

export interface RealtimeCaller {
  readonly origin: string;
  readonly apikey: string;
  readonly token: string;
}

type Frame = readonly [string | null, string | null, string, string, unknown];

const TOPIC = 'realtime:flood';
/** Replies are small. Nothing else is read. */
const REPLY_BYTES = 100_000;

/** Opens a socket and joins its channel. @throws {Error} when either is refused */
export async function openSocket({ origin, apikey, token }: RealtimeCaller, changes: readonly object[] = []) {
  const socket = new WebSocket(urlOf(origin, apikey), { perMessageDeflate: false });
  const replied = new Map<string, (payload: unknown) => void>();
  let refs = 0;
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary || data.length > REPLY_BYTES) return;
    const [, ref, , event, payload] = JSON.parse(data.toString()) as Frame;
    if (event === 'phx_reply') replied.get(String(ref))?.(payload);
  });
  await new Promise((resolve, fail) => socket.once('open', resolve).once('error', fail));
  const closed = new Promise<never>((_, fail) =>
    socket.once('close', () => fail(new Error('socket closed'))),
  );
  closed.catch(() => undefined);
  const send = (...frame: unknown[]): void => socket.send(JSON.stringify(['1', ...frame]));
  const ask = async (topic: string, event: string, payload: object): Promise<unknown> => {
    const ref = String((refs += 1));
    const reply = new Promise((resolve) => replied.set(ref, resolve));
    send(ref, topic, event, payload);
    return Promise.race([reply, closed]).finally(() => replied.delete(ref));
  };
  const reply = await ask(TOPIC, 'phx_join', { config: { postgres_changes: changes }, access_token: token });
  if ((reply as { status?: unknown }).status !== 'ok') throw new Error(JSON.stringify(reply));
  return {
    broadcast: (payload: object): void =>
      send(null, TOPIC, 'broadcast', { type: 'broadcast', event: 'flood', payload }),
    /** Sends heartbeats, one after the other. @returns how long each took, in milliseconds */
    beats: (count: number, everyMs: number) => beats(() => ask('phoenix', 'heartbeat', {}), count, everyMs),
    /** Whether the client has been cut off. */
    isClosed: (): boolean => socket.readyState !== WebSocket.OPEN,
    /** Reads nothing from now on. */
    pause: (): void => socket.pause(),
    close: (): void => socket.terminate(),
  };
}

const urlOf = (origin: string, apikey: string): string =>
  `${origin.replace('http', 'ws')}/realtime/v1/websocket?apikey=${apikey}&vsn=2.0.0`;

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
