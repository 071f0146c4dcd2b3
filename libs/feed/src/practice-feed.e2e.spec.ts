import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { catalog } from '@practice/contracts';
import { connect, createRequester, type Connection } from '@practice/bus';
import { eventually, make, newPractice, patch, slot, stack, type Practice } from '@practice/testing';
import pg from 'pg';
import { cursorSince, type Cursor } from './cursor.js';
import type { FeedEvent } from './feed-event.js';
import { PracticeFeed } from './practice-feed.js';

/** The cursor before the first event of every log. */
const BEGINNING: Cursor = {};
const logger = { info() {}, warn() {}, error() {} };
let connection: Connection;
let practice: Practice;
const closing: (() => void)[] = [];

beforeEach(async () => {
  connection = await connect({ url: stack().natsUrl('live'), name: 'feed spec', logger });
  practice = await newPractice();
});

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) close();
  await connection.close();
});

/** A feed on the spec's connection. @param loses whether the bus loses the next message */
function openFeed(loses: () => boolean = () => false): PracticeFeed {
  const requester = createRequester({ connection, user: 'live', timeoutMs: 60_000 });
  const subscribe: Connection['nats']['subscribe'] = (subject, options) =>
    connection.nats.subscribe(subject, {
      callback: (error, message) => (loses() ? undefined : options?.callback?.(error, message)),
    });
  const nats = new Proxy(connection.nats, {
    get: (target, name) => {
      if (name === 'subscribe') return subscribe;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  const feed = new PracticeFeed({ connection: { ...connection, nats }, requester, logger });
  closing.push(
    () => requester.close(),
    () => feed.close(),
  );
  return feed;
}

const isWhole = (events: readonly FeedEvent[]): boolean => {
  const next = new Map<string, number>();
  return events.every(({ service, position }) => {
    const expected = (next.get(service) ?? 0) + 1;
    next.set(service, position);
    return position === expected;
  });
};

async function readAll(feed: PracticeFeed, from: Cursor, limit: number): Promise<FeedEvent[]> {
  const events: FeedEvent[] = [];
  for (let cursor = from; ;) {
    const page = await feed.page(practice.therapistId, cursor, { limit });
    expect(page.events.length).toBeLessThanOrEqual(limit);
    events.push(...page.events);
    if (!page.more) return events;
    cursor = page.cursor;
  }
}

async function work(count: number, first = 0): Promise<void> {
  const client = await make(practice, 'clients', { name: 'Ada' });
  for (let index = first; index < first + count; index += 1) {
    const booked = await make(practice, 'appointments', { client_id: client.id, ...slot(index) });
    await patch(practice, 'appointments', { id: booked.id, status: 'confirmed' });
    await make(practice, 'expenses', { date: '2026-01-05', amount: 12.5 });
  }
}

describe('the feed of a practice', () => {
  it('has every event once, in order for each service, in pages of any size', async () => {
    await work(3);
    const feed = openFeed();

    const large = await readAll(feed, BEGINNING, 1_000);
    const small = await readAll(feed, BEGINNING, 2);

    expect(isWhole(large)).toBe(true);
    expect(isWhole(small)).toBe(true);
    expect(small.map(({ message }) => message.id).sort()).toEqual(
      large.map(({ message }) => message.id).sort(),
    );
    expect(large.filter(({ type }) => type === 'AppointmentScheduled')).toHaveLength(3);
    expect(new Set(large.map(({ message }) => message.therapistid))).toEqual(new Set([practice.therapistId]));
  });

  it('can begin at an instant, or now', async () => {
    const feed = openFeed();
    await make(practice, 'clients', { name: 'Before' });
    const { recordedAt } = (await readAll(feed, BEGINNING, 1_000)).at(-1)?.event ?? { recordedAt: '' };
    await pause(2);
    const after = new Date(new Date(recordedAt).getTime() + 1);
    const client = await make(practice, 'clients', { name: 'After' });

    const followed: FeedEvent[] = [];
    const following = feed.follow(practice.therapistId, cursorSince(after), {
      onEvent: (event) => void followed.push(event),
      onError: (error) => {
        throw error;
      },
    });
    const events = await readAll(feed, cursorSince(after), 10);
    expect(events.map(({ type, message }) => [type, message.subject])).toEqual([
      ['ClientRegistered', client.id],
    ]);
    expect(await readAll(feed, await feed.now(practice.therapistId), 10)).toEqual([]);
    await patch(practice, 'clients', { id: client.id, name: 'Later' });
    await eventually('both events were followed', () => followed.length >= 2);
    following.stop();
    expect(followed.map(({ type }) => type)).toEqual(['ClientRegistered', 'ClientRenamed']);
  });

  it('has no confidential column, not even of a record that was fetched from its owner', async () => {
    const client = await make(practice, 'clients', { name: 'Ada' });
    const appointment = await make(practice, 'appointments', { client_id: client.id, ...slot(0) });
    const text = { subjective: 'a secret of the session' };
    await make(practice, 'sessions', { client_id: client.id, appointment_id: appointment.id, ...text });
    const events = await readAll(openFeed(), BEGINNING, 100);
    expect(events.some(({ type }) => type === 'SessionNoteWritten')).toBe(true);
    expect(JSON.stringify(events)).not.toContain('a secret of the session');
    const confidential = [...catalog.resources.values()].flatMap(({ aggregate, columns }) =>
      Object.keys(columns).flatMap((name) =>
        columns[name]?.confidential === true ? [[aggregate, name]] : [],
      ),
    );
    for (const [aggregate = '', name = ''] of confidential)
      for (const event of events.filter((one) => one.aggregate === aggregate))
        expect(event.message.data).not.toHaveProperty(name);
  });

  it('is followed from the past into the present, even by a slow reader', async () => {
    await work(1);
    const feed = openFeed();
    const heard: FeedEvent[] = [];
    let atOnce = 0;
    const following = feed.follow(practice.therapistId, BEGINNING, {
      onEvent: async (event) => {
        atOnce += 1;
        expect(atOnce).toBe(1);
        await pause(1);
        heard.push(event);
        atOnce -= 1;
      },
      onError: (error) => expect(error).toBeUndefined(),
    });
    closing.push(() => following.stop());
    await work(2, 1);
    const all = await readAll(feed, BEGINNING, 1_000);
    await eventually('everything was heard', () => heard.length >= all.length);
    expect(isWhole(heard)).toBe(true);
    expect(await readAll(feed, following.cursor, 10)).toEqual([]);
  });

  it.each([
    ['every second message', () => Math.random() < 0.5],
    ['every message', () => true],
  ])('reaches its readers even if the bus loses %s', async (_what, loses) => {
    const feed = openFeed(loses);
    const heard: FeedEvent[] = [];
    const following = feed.follow(practice.therapistId, BEGINNING, {
      onEvent: (event) => void heard.push(event),
      onError: (error) => expect(error).toBeUndefined(),
    });
    closing.push(() => following.stop());
    await work(2);
    const all = await readAll(feed, BEGINNING, 1_000);
    await eventually('everything was heard', () => heard.length >= all.length);
    expect(heard).toHaveLength(all.length);
    expect(isWhole(heard)).toBe(true);
  });

  it('begins earlier for a cursor from before a restore, but only in the restored log', async () => {
    await make(practice, 'expenses', { date: '2026-01-05', amount: 1 });
    const before = await openFeed().now(practice.therapistId);
    const position = before['finance']?.position ?? 0;
    await make(practice, 'expenses', { date: '2026-01-06', amount: 2 });
    const admin = new pg.Client({ connectionString: stack().adminDatabaseUrl });
    await admin.connect();
    const values = [practice.therapistId, position - 1];
    await admin.query(
      'INSERT INTO finance.restorations (therapist_id, epoch, after) VALUES ($1, 7, $2)',
      values,
    );
    await admin.end();
    const feed = openFeed();
    const positions = (events: readonly FeedEvent[]) =>
      events.map((event) => [event.position, event.message.epoch]);
    const all = [
      [position, 7],
      [position + 1, 7],
    ];
    const again = await readAll(feed, before, 10);
    expect(positions(again)).toEqual(all);
    const page = await feed.page(practice.therapistId, before, { limit: 1 });
    expect(page.cursor['finance']).toEqual({ position, epoch: 7 });
    expect(positions(await readAll(feed, page.cursor, 10))).toEqual(all.slice(1));
    expect(await readAll(feed, await feed.now(practice.therapistId), 10)).toEqual([]);

    const heard: FeedEvent[] = [];
    const onError = (error: unknown): void => expect(error).toBeUndefined();
    const ahead = { ...before, finance: { position: position + 50 } };
    const onEvent = (event: FeedEvent): void => void heard.push(event);
    const following = feed.follow(practice.therapistId, ahead, { onEvent, onError });
    closing.push(() => following.stop());
    await eventually('both were heard', () => heard.length === 2);
    expect(positions(heard)).toEqual(all);
  });

  it('stops for a reader that fails, and reports why', async () => {
    const feed = openFeed();
    const failures: unknown[] = [];
    const following = feed.follow(practice.therapistId, BEGINNING, {
      onEvent: () => Promise.reject(new Error('no more')),
      onError: (error) => failures.push(error),
    });
    await eventually('it has failed', () => failures.length > 0);
    expect(failures).toEqual([new Error('no more')]);
    expect(following.cursor).toEqual(BEGINNING);
  });
});
