// `npm run bench -- --live`: measures how fast changes reach callers with open connections, and the cost of each connection.

import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '@practice/operator';
import type { Stack } from '@practice/start';
import jwt from 'jsonwebtoken';
import { ISSUER } from '../bench.config.js';
import { booking, FREE_BEGINS } from '../calendar.js';
import type { Flags } from '../flags.js';
import { machine } from '../machine.js';
import { paced, saturated, type Bench } from '../measurement.js';
import { productSide } from '../product-side.js';
import { sum } from '../report/statistics.js';
import { atRest } from '../rest.js';
import { progress, startLoad, startOwnStack, writeJson, type Run } from '../run.js';
import { addAppointments, type Api, seed, type Practice } from '../seed/seed.js';
import { fullSizes, quickSizes, sizesWith, type Sizes } from '../sizes.js';
import { memoryBytes } from '../usage.js';
import { openCrowd, type Crowd, type Opening } from './crowd.js';
import { openDelays, type Delays } from './delays.js';
import { liveTable, type LiveRound, type SocketMemory } from './table.js';

const full = {
  /** Practices whose changes are timed, and that have a listener and a webhook each. */
  timed: 20,
  /** Practices with readers of the feed. */
  read: 10,
  readers: 1_000,
  /** Bookings of each practice with readers in one measurement: at most as many as one write may contain. */
  bookings: 50,
  /** Sockets that receive no change, and the practices that they belong to. */
  sockets: 5_000,
  socketPractices: 1_000,
  writesPerSecond: 20,
  delaySeconds: 20,
};

type LiveSizes = Sizes & Readonly<typeof full>;

const quick = {
  timed: 4,
  read: 2,
  readers: 40,
  bookings: 20,
  sockets: 200,
  socketPractices: 40,
  writesPerSecond: 10,
  delaySeconds: 3,
};

/** The sizes of a run. `practices` counts the practices of the mixed load, and after them the timed ones and the ones with readers. */
const liveSizes = (flags: Flags): LiveSizes =>
  flags.quick
    ? { ...sizesWith(flags, { ...quickSizes, rounds: 1, practices: 16, practicesWithRecords: 4 }), ...quick }
    : { ...sizesWith(flags, { ...fullSizes, practices: 80, practicesWithRecords: 20 }), ...full };

/** Within this time, a process releases memory that it needed only for a moment. */
const SETTLES_MS = 3_000;

export async function live(run: Run): Promise<void> {
  const { flags, stages, signal, closing, say } = run;
  const sizes = liveSizes(flags);
  const secret = `${randomUUID()}${randomUUID()}`;
  const { stack, admin } = await startOwnStack(run, secret);
  const all = await stages.run(`Seed (${sizes.practices} practices)`, () => seed(stack, sizes, signal));
  const [timed, read] = [all.slice(-sizes.timed), all.slice(-sizes.timed - sizes.read, -sizes.timed)];
  const loaded = all.slice(0, -sizes.timed - sizes.read);
  const delays = await stages.run('Listeners and webhooks', () =>
    openDelays({ api: stack, practices: timed, signal }),
  );
  closing.push(delays.close);
  const bench = startLoad(run, sizes);
  const settled = (): Promise<void> => atRest(stack.processes, signal);
  const mixed = await stages.run('Mixed load', () => startMixedLoad(bench, { stack, practices: loaded }));
  const context = { stack, sizes, secret, mixed, settled, delays: delays.measure };
  const rounds: LiveRound[] = [];
  const memories: SocketMemory[] = [];
  const measured = progress(run);
  for (let round = 0; round < sizes.rounds; round += 1) {
    const delayed = await delaysOf(context);
    const { memory, ...crowded } = await besideSockets(context);
    memories.push(memory);
    rounds.push({ ...delayed, ...crowded, ...(await toReaders(context, { read, round })) });
    measured(`round ${round + 1}`);
  }
  const result = { machine: await machine(admin), memory: memories[0] as SocketMemory, rounds };
  const { readers, sockets } = sizes;
  const whole = { ...result, readers, sockets, mixedPerSecond: mixed.perSecond };
  say(`\n${liveTable(whole)}`);
  writeJson(run, { ...whole, sizes });
}

interface Context {
  readonly stack: Stack;
  readonly sizes: LiveSizes;
  readonly secret: string;
  readonly mixed: MixedLoad;
  readonly settled: () => Promise<void>;
  readonly delays: (perSecond: number, seconds: number) => Promise<Delays>;
}

/** Waits for the events of earlier measurements before each one: the highest load leaves events that are still to be delivered. */
async function delaysOf(context: Context): Promise<Pick<LiveRound, 'calm' | 'mixed'>> {
  const { mixed, settled, delays, sizes } = context;
  const measure = () => delays(sizes.writesPerSecond, sizes.delaySeconds);
  await settled();
  const calm = await measure();
  await settled();
  return { calm, mixed: await mixed.beside(measure) };
}

async function besideSockets(context: Context) {
  const { stack, sizes, secret } = context;
  const practices = Array.from({ length: sizes.socketPractices }, () => randomUUID());
  const tokens = Array.from({ length: sizes.sockets }, (_, index) =>
    memberToken(secret, practices[index % practices.length] as string),
  );
  const before = memoryOf(stack);
  const crowd = await opened(context, { kind: 'sockets', tokens });
  try {
    await pause(SETTLES_MS);
    const after = memoryOf(stack);
    const each = (name: 'live' | 'gateway'): number => (after[name] - before[name]) / sizes.sockets;
    const memory = { live: each('live'), gateway: each('gateway'), liveWhole: after.live };
    const { calm: crowded, mixed: crowdedMixed } = await delaysOf(context);
    return { memory, crowded, crowdedMixed };
  } finally {
    crowd.stop();
  }
}

async function toReaders(
  context: Context,
  { read, round }: { readonly read: readonly Practice[]; readonly round: number },
) {
  const { stack, sizes, secret, mixed } = context;
  const tokens = Array.from({ length: sizes.readers }, (_, index) =>
    memberToken(secret, (read[index % read.length] as Practice).id),
  );
  const readers = await opened(context, { kind: 'streams', tokens });
  const input: FanOut = {
    api: stack,
    practices: read,
    readers,
    bookingsOfPractice: sizes.bookings,
    readersOfPractice: sizes.readers / read.length,
  };
  try {
    const eventsCalm = await eventsPerSecond(input, 2 * round);
    const eventsMixed = await mixed.beside(() => eventsPerSecond(input, 2 * round + 1));
    return { eventsCalm, eventsMixed };
  } finally {
    readers.stop();
  }
}

function opened({ stack }: Context, of: Pick<Opening, 'kind' | 'tokens'>): Promise<Crowd> {
  return openCrowd({ ...of, origin: new URL(stack.baseUrl).origin, apikey: stack.apikey });
}

function memoryOf(stack: Stack): Record<'live' | 'gateway', number> {
  const of = (wanted: string): number =>
    sum(stack.processes().map(({ name, pid }) => (name === wanted ? memoryBytes(pid) : 0)));
  return { live: of('live'), gateway: of('gateway') };
}

/** A token of a new owner of a practice. Another issuer signs it, so that thousands need no sign-in. Limits are counted by member. */
const memberToken = (secret: string, practice: string): string =>
  jwt.sign(
    {
      ...{ sub: randomUUID(), role: 'authenticated', aud: 'authenticated' },
      ...{ therapist_id: practice, role_in_practice: 'owner' },
    },
    secret,
    { expiresIn: '3h', issuer: ISSUER },
  );

/** Measures how much of the mixed load the product answers at most. The load has half as many requests a second. */
async function startMixedLoad(
  bench: Bench,
  { stack, practices }: { readonly stack: Stack; readonly practices: readonly Practice[] },
) {
  const input = { practices, sizes: bench.sizes, freeFrom: FREE_BEGINS.plain };
  const side = productSide(stack, 'product', input);
  const perSecond = (await saturated(bench, side, 'mixed')).perSecond / 2;
  /** Runs `work` while the load runs. */
  const beside = async <T>(work: () => Promise<T>): Promise<T> => {
    let isOver = false;
    const load = async (): Promise<void> => {
      while (!isOver) await paced(bench, side, { scenario: 'mixed', perSecond });
    };
    const [result] = await Promise.all([work().finally(() => (isOver = true)), load()]);
    return result;
  };
  return { perSecond, beside };
}

type MixedLoad = Awaited<ReturnType<typeof startMixedLoad>>;

interface FanOut {
  readonly api: Api;
  /** No other caller books in these practices. */
  readonly practices: readonly Practice[];
  /** The readers: the same number for each practice. */
  readonly readers: Crowd;
  readonly readersOfPractice: number;
  readonly bookingsOfPractice: number;
}

const ARRIVE_WITHIN_MS = 120_000;

/**
 * Measures how many events per second reach streams of the feed: practices book in bulk, and each has many readers.
 * @param round from 0: no appointment is booked twice
 * @returns delivered events per second, from the first write until the last event has arrived
 * @throws {Error} when events do not arrive
 */
async function eventsPerSecond(input: FanOut, round: number): Promise<number> {
  const { api, practices, readers, readersOfPractice, bookingsOfPractice } = input;
  const { events: before } = await readers.received();
  const expected = before + practices.length * readersOfPractice * bookingsOfPractice;
  const bookings = Array.from({ length: bookingsOfPractice }, (_, index) =>
    booking(FREE_BEGINS.flood, round * bookingsOfPractice + index, 'scheduled'),
  );
  const began = Date.now();
  await Promise.all(practices.map(({ token }) => addAppointments(api, token, bookings)));
  const arrived = async () => {
    const received = await readers.received();
    return received.events >= expected && received;
  };
  const received = await until(arrived, { within: ARRIVE_WITHIN_MS });
  if (received === undefined) throw new Error('events did not reach the readers');
  return (received.events - before) / ((received.lastAt - began) / 1000);
}
