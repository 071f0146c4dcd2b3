// Measures the time from the response to a write until a listener and the receiver of a webhook have the change.

import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '@practice/operator';
import { listen } from '@practice/process';
import { demand } from '@practice/start';
import { booking, FREE_BEGINS } from '../calendar.js';
import { latencyOf, type Latency } from '../report/statistics.js';
import type { Api, Practice } from '../seed/seed.js';
import { openSocket } from '../realtime/socket.js';

/** Milliseconds from the response to the write until the change arrives. */
export interface Delays {
  readonly listener: Latency;
  readonly receiver: Latency;
}

export interface DelayInput {
  readonly api: Api;
  /** Practices with a listener and a webhook each. No other caller books in them. */
  readonly practices: readonly Practice[];
  readonly signal: AbortSignal;
}

type Side = keyof Delays;
/** Changes of appointments. */
export const CHANGES = [{ event: '*', schema: 'public', table: 'appointments' }];
const ID = /"id":"([0-9a-f-]{36})"/;
const SUBJECT = /"subject":"([0-9a-f-]{36})"/;
const ARRIVES_WITHIN_MS = 15_000;

/** Opens the listeners and the webhooks. @returns a measurement that can be repeated, and a function that closes them */
export async function openDelays({ api, practices, signal }: DelayInput) {
  const arrived: Record<Side, Map<string, number>> = { listener: new Map(), receiver: new Map() };
  const note = (side: Side, pattern: RegExp) => (text: string) => {
    const id = pattern.exec(text)?.[1];
    if (id !== undefined) arrived[side].set(id, performance.now());
  };
  const receiver = await startReceiver(note('receiver', SUBJECT));
  const closing: (() => unknown)[] = [receiver.close];
  const origin = new URL(api.baseUrl).origin;
  const webhook = { url: `${receiver.url}/`, event_types: ['AppointmentScheduled'] };
  for (const { token } of practices) {
    const onChange = note('listener', ID);
    closing.push((await openSocket({ origin, apikey: api.apikey, token }, CHANGES, onChange)).close);
    await demand({ ...api, token }, '/rest/v1/webhooks', webhook);
  }
  let booked = 0;
  const write = async (written: Map<string, number>): Promise<void> => {
    const { token } = practices[booked % practices.length] as Practice;
    const row = booking(FREE_BEGINS.product, Math.floor(booked++ / practices.length), 'scheduled');
    const headers = { prefer: 'return=representation' };
    const path = '/rest/v1/appointments?select=id';
    const call = { method: 'POST', path, body: row, headers };
    const [made] = (await demand({ ...api, token }, call)) as [{ id: string }];
    written.set(made.id, performance.now());
  };

  /** Writes at an even pace and waits until all have arrived. @throws {Error} when one does not arrive */
  const measure = async (perSecond: number, seconds: number): Promise<Delays> => {
    const written = new Map<string, number>();
    const writes: Promise<void>[] = [];
    const began = performance.now();
    for (let index = 0; index < perSecond * seconds; index += 1) {
      signal.throwIfAborted();
      writes.push(write(written));
      await pause(Math.max(0, began + ((index + 1) * 1000) / perSecond - performance.now()));
    }
    await Promise.all(writes);
    await allArrived(arrived, written);
    return { listener: delayOf(written, arrived.listener), receiver: delayOf(written, arrived.receiver) };
  };
  return { measure, close: () => closing.forEach((close) => close()) };
}

async function allArrived(
  arrived: Record<Side, ReadonlyMap<string, number>>,
  written: ReadonlyMap<string, number>,
): Promise<void> {
  const isMissing = (id: string): boolean => !arrived.listener.has(id) || !arrived.receiver.has(id);
  const haveArrived = (): boolean => ![...written.keys()].some(isMissing);
  if ((await until(haveArrived, { within: ARRIVES_WITHIN_MS })) === undefined)
    throw new Error('a change did not arrive');
}

/** A change that arrives before the response to its write counts as 0. */
function delayOf(written: ReadonlyMap<string, number>, arrived: ReadonlyMap<string, number>): Latency {
  return latencyOf([...written].map(([id, at]) => Math.max(0, (arrived.get(id) ?? Infinity) - at)));
}

/** Starts a server that webhooks call. @param onEvent called with the text of each event, before it is answered */
function startReceiver(onEvent: (text: string) => void) {
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    request.once('end', () => {
      onEvent(text);
      response.writeHead(204).end();
    });
  });
  return listen(server, { host: '127.0.0.1', port: 0 });
}
