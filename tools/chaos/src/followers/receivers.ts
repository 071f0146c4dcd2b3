// Receivers of webhooks, one for each practice: real servers that are slow, refuse, disconnect, never answer, or are unavailable for a while.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { send, type Practice } from '../load/practice.js';
import { FEED_SERVICES, takeOwn, type FeedEvent } from './feed.js';
import { createReceived, type Received } from './received.js';
import type { Reading } from './streams.js';

const troubles = ['slow', 'refused', 'cut', 'hung', 'away'] as const;
type Trouble = (typeof troubles)[number];

/** The share of each trouble, in deliveries out of a thousand. */
const SHARES: readonly (readonly [Trouble, number])[] = [
  ['slow', 30],
  ['refused', 4],
  ['cut', 4],
  ['hung', 1],
];
const SLOWNESS = 500;
/** Milliseconds: each receiver becomes unavailable about once in `AWAY_EVERY`, for up to `AWAY_FOR`. */
const AWAY_EVERY = 40_000;
const AWAY_FOR = 2_000;
/** A webhook that failed twice would wait for five minutes; its owner changes its URL, so that it continues at once. Milliseconds. */
const OWNER_WAITS = 8_000;
const LOOKS_EVERY = 1_000;

/**
 * Makes a webhook for each practice, with a server behind it.
 * @throws when a webhook is refused
 */
export async function startReceivers(practices: readonly Practice[], reading: Reading) {
  const state: State = {
    reading,
    received: createReceived(),
    ending: new AbortController(),
    isCalm: false,
    counts: Object.fromEntries(troubles.map((one) => [one, 0])) as Record<Trouble, number>,
  };
  const all: Receiver[] = [];
  for (const practice of practices) all.push(await startReceiver(practice, state));
  const tasks = all.flatMap((one) => [comeAndGo(one, state), turn(one, state)]);
  return {
    received: state.received,
    /** How often each trouble was made. */
    troubles: state.counts,
    /** From now on, every delivery is accepted. */
    calm: (): void => void (state.isCalm = true),
    stop: async (): Promise<void> => {
      state.ending.abort();
      await Promise.all(tasks);
      await Promise.all(all.map(({ server }) => close(server)));
    },
  };
}

interface State {
  readonly reading: Reading;
  readonly received: Received;
  readonly counts: Record<Trouble, number>;
  readonly ending: AbortController;
  isCalm: boolean;
}

interface Receiver {
  readonly practice: Practice;
  readonly server: Server;
  readonly port: number;
  /** The id of the webhook. Empty until the webhook is made, as its first delivery may arrive before the response with its id. */
  webhook: string;
  /** When a delivery may have failed and no later one has arrived, in milliseconds since the epoch. */
  failedAt: number | undefined;
}

async function startReceiver(practice: Practice, state: State): Promise<Receiver> {
  const server = createServer((request, response) => {
    void deliver(request, response, { receiver, state }).catch(() => response.destroy());
  });
  await listen(server, 0);
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = { practice, server, port, webhook: '', failedAt: undefined };
  const { api } = state.reading;
  const body = { url: urlOf(port, 0) };
  const headers = { prefer: 'return=representation' };
  const { status, text } = await send(api, practice, {
    method: 'POST',
    path: '/rest/v1/webhooks',
    body,
    headers,
  });
  if (status !== 201) throw new Error(`a webhook was answered ${status}: ${text}`);
  const [{ id: webhook }] = JSON.parse(text) as [{ id: string }];
  receiver.webhook = webhook;
  return receiver;
}

const urlOf = (port: number, turns: number): string => `http://127.0.0.1:${port}/events?turn=${turns}`;

/** Takes a delivery, like a program that stores the event before it answers. */
async function deliver(
  request: IncomingMessage,
  response: ServerResponse,
  { receiver, state }: { receiver: Receiver; state: State },
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const trouble = troubleIn(state);
  if (trouble === 'slow') await pause(state.reading.random(SLOWNESS));
  receiver.failedAt = trouble === undefined || trouble === 'slow' ? undefined : Date.now();
  if (trouble === 'refused') return void response.writeHead(500).end();
  if (trouble === 'hung') return;
  take(Buffer.concat(chunks).toString(), receiver, state);
  if (trouble === 'cut') response.destroy();
  else response.writeHead(204).end();
}

/** Draws the trouble of a delivery. */
function troubleIn({ reading: { random }, counts, isCalm }: State): Trouble | undefined {
  const draw = random(1_000);
  let until = 0;
  const trouble = isCalm ? undefined : SHARES.find(([, share]) => draw < (until += share))?.[0];
  if (trouble !== undefined) counts[trouble] += 1;
  return trouble;
}

/** Notes the event of a delivery. Events of the webhooks' own service are ignored, as its log began before the webhook. */
function take(body: string, { practice }: Receiver, { received, reading: { journal } }: State): void {
  const event = JSON.parse(body) as FeedEvent;
  if (FEED_SERVICES.some((service) => event.source === `/practice/${service}`))
    takeOwn(received, practice, { event, journal });
}

/** Stops the server from time to time, and starts it again on the same port. */
async function comeAndGo(receiver: Receiver, state: State): Promise<void> {
  const { server, port } = receiver;
  const { random } = state.reading;
  while (await waited(random(2 * AWAY_EVERY), state)) {
    if (state.isCalm) return;
    state.counts.away += 1;
    await close(server);
    receiver.failedAt ??= Date.now();
    await waited(random(AWAY_FOR), state);
    await listen(server, port);
  }
}

/** Acts as the owner: changes the URL of a webhook whose deliveries have failed for `OWNER_WAITS`. */
async function turn(receiver: Receiver, state: State): Promise<void> {
  for (let turns = 1; await waited(LOOKS_EVERY, state);) {
    const { practice, webhook, port, failedAt } = receiver;
    if (failedAt === undefined || Date.now() - failedAt < OWNER_WAITS) continue;
    const request = {
      method: 'PATCH',
      path: `/rest/v1/webhooks?id=eq.${webhook}`,
      body: { url: urlOf(port, turns++) },
    };
    const answer = await send(state.reading.api, practice, request).catch(() => undefined);
    if (answer?.status === 204) receiver.failedAt = undefined;
  }
}

/** @returns false if the run ends meanwhile */
const waited = (milliseconds: number, { ending: { signal } }: State): Promise<boolean> =>
  pause(milliseconds, undefined, { signal }).then(
    () => true,
    () => false,
  );

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve) => void server.listen(port, '127.0.0.1', resolve));

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => void server.close(() => resolve()));
}
