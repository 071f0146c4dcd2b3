// A client of realtime that takes little memory: one socket with one channel, which hears of changes of appointments.

import { WebSocket } from 'ws';

export interface ChannelOptions {
  readonly origin: string;
  readonly apikey: string;
  readonly token: string;
  /** Called with the text of each change. */
  readonly onChange: (text: string) => void;
}

const TOPIC = 'realtime:calendar';
const CHANGES = { event: '*', schema: 'public', table: 'appointments' };
/** As supabase-js does. */
const HEARTBEAT_MS = 25_000;

/**
 * Opens a socket and joins.
 * @returns the way to close it, once changes are heard
 * @throws {Error} when the socket or the join is refused
 */
export function openChannel({ origin, apikey, token, onChange }: ChannelOptions): Promise<() => void> {
  const url = `${origin.replace('http', 'ws')}/realtime/v1/websocket?apikey=${apikey}&vsn=2.0.0`;
  const socket = new WebSocket(url, { perMessageDeflate: false });
  const send = (...message: unknown[]): void => socket.send(JSON.stringify(message));
  return new Promise((resolve, fail) => {
    let beats: NodeJS.Timeout | undefined;
    const beat = (): void => send(null, '2', 'phoenix', 'heartbeat', {});
    const close = (): void => socket.terminate();
    socket.once('open', () => {
      send('1', '1', TOPIC, 'phx_join', {
        config: { postgres_changes: [CHANGES] },
        access_token: token,
      });
      // Sockets that were opened together beat at different times.
      beats = setTimeout(() => {
        beat();
        beats = setInterval(beat, HEARTBEAT_MS);
      }, Math.random() * HEARTBEAT_MS);
    });
    socket.on('message', (data: Buffer) => {
      const text = data.toString();
      if (text.includes('"postgres_changes",{"ids"')) onChange(text);
      else if (text.includes('Subscribed to PostgreSQL')) resolve(close);
      else if (text.includes('"status":"error"')) fail(new Error(`refused: ${text}`));
    });
    socket.once('error', fail);
    socket.once('close', () => {
      clearInterval(beats);
      fail(new Error('the socket was closed'));
    });
  });
}
