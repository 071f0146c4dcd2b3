// The real client of Supabase, as a member of a practice, and the messages that it has received.

import { eventually, stack, type Practice } from '@practice/testing';
import { createClient, type RealtimeChannel, type SupabaseClient } from '@supabase/supabase-js';
import { WebSocket } from 'ws';

const clients: SupabaseClient[] = [];

// supabase-js leaves timers of up to 50 s behind, even when it is disconnected. They must not keep the process of the specs alive.
const { setTimeout: original } = globalThis;
globalThis.setTimeout = ((...given: Parameters<typeof original>) =>
  original(...given).unref()) as typeof original;

/** A client with the token of a practice. `origin` selects another gateway. */
export async function clientOf(
  { token }: Pick<Practice, 'token'>,
  { origin, vsn }: { readonly origin?: string; readonly vsn?: string } = {},
): Promise<SupabaseClient> {
  const { baseUrl, apikey } = stack();
  const client = createClient(origin ?? baseUrl, apikey, {
    accessToken: () => Promise.resolve(token),
    realtime: {
      transport: WebSocket as never,
      reconnectAfterMs: () => 100,
      ...(vsn !== undefined && { vsn }),
    },
  });
  clients.push(client);
  // Otherwise, a channel that is subscribed to at once is first joined without the token.
  await client.realtime.setAuth();
  return client;
}

/** A client that signs in and keeps its own session. It refreshes only on request, because its timer would outlive the spec. */
export function sessionClient(origin: string): SupabaseClient {
  const client = createClient(origin, stack().apikey, {
    auth: { autoRefreshToken: false },
    realtime: { transport: WebSocket as never },
  });
  clients.push(client);
  return client;
}

/** Ends all clients. */
export const closeClients = (): Promise<unknown> =>
  Promise.all(clients.splice(0).map((client) => client.removeAllChannels()));

/** The statuses that `subscribe` has reported, with the messages of errors. */
export type Statuses = string[];

/** Subscribes, and waits until the server has answered. */
export async function subscribed(channel: RealtimeChannel): Promise<Statuses> {
  const statuses = subscribing(channel);
  await eventually('the server has answered the join', () => statuses.length > 0);
  return statuses;
}

export function subscribing(channel: RealtimeChannel): Statuses {
  const statuses: Statuses = [];
  channel.subscribe((status, error) =>
    statuses.push(error === undefined ? status : `${status} ${error.message}`),
  );
  return statuses;
}

/** A change that a listener receives. */
export interface Heard {
  readonly eventType: string;
  readonly table: string;
  readonly schema: string;
  readonly commit_timestamp: string;
  readonly errors: unknown;
  readonly new: Readonly<Record<string, unknown>>;
  readonly old: Readonly<Record<string, unknown>>;
}

interface Filter {
  readonly event?: '*' | 'INSERT' | 'UPDATE' | 'DELETE';
  readonly schema?: string;
  readonly table?: string;
  readonly filter?: string;
  readonly select?: string[];
}

/** Collects the changes of a filter. */
export function listen(channel: RealtimeChannel, filter: Filter): Heard[] {
  const heard: Heard[] = [];
  hear(channel, filter, (change) => heard.push(change));
  return heard;
}

/** Calls `onChange` with each change that the filter lets through. */
export function hear(channel: RealtimeChannel, filter: Filter, onChange: (change: Heard) => void): void {
  channel.on('postgres_changes', { event: '*', schema: 'public', ...filter } as never, onChange as never);
}

/** The system messages of a channel. */
export function systemOf(channel: RealtimeChannel): string[] {
  const messages: string[] = [];
  channel.on('system', {}, ({ extension, status, message }: Record<string, string>) =>
    messages.push(`${extension} ${status}: ${message}`),
  );
  return messages;
}
