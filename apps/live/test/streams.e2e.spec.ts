// Streams of the feed from outside, and the views of members.

import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { PracticeRole } from '@practice/core';
import {
  answered,
  auth,
  eventually,
  make,
  memberOf,
  newPractice,
  patch,
  patient,
  rowsOf,
  slot,
  stack,
} from '@practice/testing';
import type { Practice } from '@practice/testing';
import jwt from 'jsonwebtoken';
import { ask, now, openSource, pageOf, shortTypes, spend } from './feed.js';
import type { Page, Source, SourceOptions } from './feed.js';

let practice: Practice;
const closing: (() => unknown)[] = [];

beforeAll(async () => {
  practice = await newPractice();
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function source(options: Partial<SourceOptions> = {}): Promise<Source> {
  const opened = await openSource({ token: practice.token, ...options });
  closing.push(opened.close);
  return opened;
}

describe('a stream of events', () => {
  it('sends events as they happen, each with the cursor after it, and resumes after the last event', async () => {
    const stream = await source({ query: '?cursor=now' });
    const first = await spend(practice);
    await eventually('the event has arrived', () => stream.events.length === 1);
    expect(stream.events[0]).toMatchObject({ event: 'ExpenseRecorded', data: { subject: first.id } });
    stream.close();
    const missed = await spend(practice);
    const again = await source({ query: '?cursor=now', lastEventId: stream.lastId() });
    const next = await spend(practice);
    await eventually('both have arrived', () => again.events.length === 2);
    expect(again.events.map(({ data }) => data.subject)).toEqual([missed.id, next.id]);
    expect((await pageOf(practice, `?cursor=${stream.lastId()}`)).events).toHaveLength(2);
  });

  it('has the usual response headers, but no content length', async () => {
    const response = await fetch(`${stack().baseUrl}/events/v1/?cursor=now`, {
      headers: {
        accept: 'text/event-stream',
        apikey: stack().apikey,
        authorization: `Bearer ${practice.token}`,
      },
    });
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('x-request-id')).toMatch(/^[\w-]+$/);
    expect(response.headers.get('content-length')).toBeNull();
    await response.body?.cancel();
  });

  it('ends with the session', async () => {
    const signedIn = await newPractice();
    const stream = await source({ token: signedIn.token });
    expect(stream.status).toBe(200);
    await auth('POST', 'logout', { token: signedIn.token });
    await stream.ended;
    const again = await source({ token: signedIn.token, lastEventId: stream.lastId() });
    expect(again.status).toBe(401);
  });

  it('and a waiting request end when the role of the member changes or the membership ends', async () => {
    const { member, membershipId: id } = await memberOf(practice, 'billing');
    const query = `?cursor=${await now(practice)}`;
    const stream = await source({ token: member.token, query });
    const waiting = ask(member, `${query}&wait=20`);
    await spend(practice);
    await eventually('the expense has arrived', () => stream.events.length === 1);
    const waitingAgain = ask(member, `?cursor=${stream.lastId()}&wait=20&type=ExpenseDeleted`);
    const again = await source({ token: member.token, lastEventId: stream.lastId() });
    await patch(practice, 'memberships', { id, role: 'front_desk' });
    await Promise.all([stream.ended, again.ended]);
    expect((await waiting).status).toBe(200);
    expect(await waitingAgain).toMatchObject({ status: 200, json: { events: [], more: false } });

    const asFrontDesk = await source({ token: member.token, query });
    const last = ask(member, `?cursor=${stream.lastId()}&wait=20&type=ClientDeleted`);
    await make(practice, 'clients', { name: 'Ada' });
    await eventually('the client has arrived', () => asFrontDesk.events.length > 0);
    expect(asFrontDesk.events.map(({ event }) => event)).not.toContain('ExpenseRecorded');
    await patch(practice, 'memberships', { id, status: 'removed' });
    await asFrontDesk.ended;
    expect(await last).toMatchObject({ status: 401, json: { code: 'PGRST303' } });
    expect((await source({ token: member.token, query })).status).toBe(401);
  });

  it('is refused with 503 while no live process runs', async () => {
    const { origin, stop } = await stack().spawnProcess('gateway', { LIVE_URLS: 'http://127.0.0.1:9' });
    closing.push(stop);
    expect(await ask(practice, '', { origin })).toMatchObject({ status: 503, json: { code: 'PM503' } });
    await rowsOf({ rest: (path) => practice.rest(path, { origin }) }, 'clients?limit=1');
  });
});

const secret = 'another issuer, which knows the members of this practice';
const issuer = 'https://roles.example.com';
/** The allowed difference between clocks: a token is valid for this long after its end. */
const SKEW_SECONDS = 30;
function tokenOf(role: PracticeRole, seconds = 600): string {
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    ...{ iss: issuer, sub: randomUUID(), role: 'authenticated', aud: 'authenticated' },
    ...{ therapist_id: practice.therapistId, role_in_practice: role },
    ...{ iat: now - 60, exp: now + seconds - SKEW_SECONDS },
  };
  return jwt.sign(claims, secret);
}

describe('with two live processes and two gateways', () => {
  type Process = Awaited<ReturnType<ReturnType<typeof stack>['spawnProcess']>>;
  let [processes, gateways]: [Process[], Process[]] = [[], []];
  beforeAll(async () => {
    const env = { JWT_SECRET: secret, JWT_ISSUER: issuer };
    processes = await Promise.all([1, 2].map(() => stack().spawnProcess('live', env)));
    const urls = processes.map(({ origin }) => origin);
    gateways = await Promise.all(
      [urls, urls.toReversed()].map((each) =>
        stack().spawnProcess('gateway', { ...env, LIVE_URLS: each.join() }),
      ),
    );
  });
  afterAll(() => Promise.all([...processes, ...gateways].map(({ stop }) => stop())));

  it('a member may have ten open streams', async () => {
    const own = await newPractice();
    const open = (index: number): Promise<Source> =>
      source({ token: own.token, origin: gateways[index % 2]?.origin });
    const streams = await Promise.all(Array.from({ length: 10 }, (_, index) => open(index)));
    expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200));
    for (const index of [0, 1]) {
      const refused = await open(index);
      expect([refused.status, JSON.parse(refused.text)]).toMatchObject([429, { code: 'PM004' }]);
    }
    streams[0]?.close();
    await eventually('there is room again', async () => (await open(1)).status === 200);
  });

  it('a member gets the records and columns that the role sees', async () => {
    const origin = gateways[0]?.origin ?? '';
    const cursor = await now(practice);
    const client = await make(practice, 'clients', { name: 'Ada' });
    const appointment = await make(practice, 'appointments', {
      client_id: client.id,
      notes: 'private',
      ...slot(1),
    });
    await patch(practice, 'appointments', { id: appointment.id, notes: 'more private' });
    await make(practice, 'sessions', {
      client_id: client.id,
      appointment_id: appointment.id,
      subjective: 'clinical',
    });
    await spend(practice);
    const seen = async (role: PracticeRole): Promise<Page> =>
      (await answered('the page', () => ask({ token: tokenOf(role) }, `?cursor=${cursor}`, { origin })))
        .json as Page;

    expect(new Set(shortTypes(await seen('owner')))).toEqual(
      new Set([
        'ClientRegistered',
        'AppointmentScheduled',
        'AppointmentDetailsChanged',
        'SessionNoteWritten',
        'ExpenseRecorded',
      ]),
    );
    const billing = await seen('billing');
    expect(shortTypes(billing)).not.toContain('SessionNoteWritten');
    expect(shortTypes(billing)).not.toContain('AppointmentDetailsChanged');
    expect(JSON.stringify(billing)).not.toContain('private');
    expect(shortTypes(await seen('front_desk'))).not.toContain('ExpenseRecorded');
    const frontDesk = await source({ token: tokenOf('front_desk'), origin, query: `?cursor=${cursor}` });
    await eventually('the change has arrived', () => frontDesk.events.length >= 3);
    expect(JSON.stringify(frontDesk.events)).not.toMatch(/clinical|ExpenseRecorded/);
  });

  it('a stream ends with its token, and continues after its last event with a new token', async () => {
    const origin = gateways[0]?.origin;
    const query = `?cursor=${await now(practice)}`;
    let stream = await source({ token: tokenOf('owner', 5), origin, query });
    // On a busy machine, the token may end before it is checked.
    for (let seconds = 10; seconds < 60 && stream.status === 401; seconds *= 2)
      stream = await source({ token: tokenOf('owner', seconds), origin, query });
    expect(stream.status).toBe(200);
    const first = await spend(practice);
    await stream.ended;
    const second = await spend(practice);
    const lastEventId = stream.lastId() || undefined;
    const again = await source({ token: tokenOf('owner'), origin, query, lastEventId });
    const subjects = () => [...stream.events, ...again.events].map(({ data }) => data.subject);
    await eventually('the second has arrived', () => subjects().includes(second.id));
    expect(subjects()).toEqual([first.id, second.id]);
  });

  it('a personal access token gets the records that it has a scope for', async () => {
    const cursor = await now(practice);
    await make(practice, 'clients', { name: 'Ada' });
    await spend(practice);
    const body = { name: 'books', scopes: ['expenses:read'], password: practice.password };
    const made = await patient(() => auth('POST', 'tokens', { token: practice.token, body }));
    const { token, id } = made.json as { token: string; id: string };
    expect(shortTypes(await pageOf({ token }, `?cursor=${cursor}`))).toEqual(['ExpenseRecorded']);
    const stream = await source({ token, query: `?cursor=${cursor}` });
    await eventually('the expense has arrived', () => stream.events.length === 1);
    expect((await auth('DELETE', `tokens/${id}`, { token: practice.token })).status).toBeLessThan(300);
    await stream.ended;
  });
});
