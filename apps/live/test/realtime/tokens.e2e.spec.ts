// Which callers may join a channel, for how long, and in which role.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  call,
  eventually,
  make,
  memberOf,
  newPractice,
  patch,
  patient,
  practiceOf,
  signIn,
  slot,
  stack,
} from '@practice/testing';
import type { Practice } from '@practice/testing';
import type { RealtimeChannel } from '@supabase/supabase-js';
import jwt from 'jsonwebtoken';
import {
  clientOf,
  closeClients,
  listen,
  sessionClient,
  subscribed,
  subscribing,
  systemOf,
} from './clients.js';

type Process = Awaited<ReturnType<ReturnType<typeof stack>['spawnProcess']>>;

const [secret, issuer] = [
  'another issuer, which makes tokens as the spec needs them',
  'https://realtime.example.com',
];
let [live, gateway]: Process[] = [];
let practice: Practice;

beforeAll(async () => {
  const settings = { JWT_SECRET: secret, JWT_ISSUER: issuer };
  live = await stack().spawnProcess('live', settings);
  gateway = await stack().spawnProcess('gateway', { ...settings, LIVE_URLS: live.origin });
  practice = await newPractice(gateway.origin);
});
afterAll(async () => {
  await closeClients();
  await Promise.all([live?.stop(), gateway?.stop()]);
});

/** The allowed difference between clocks: a token is valid for this long after its end. */
const SKEW_SECONDS = 30;

/** A token of another issuer. A spec can choose its claims. */
function foreignToken({ role = 'owner', seconds = 600, key = secret } = {}): string {
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    ...{
      sub: randomUUID(),
      therapist_id: practice.therapistId,
      role: 'authenticated',
      role_in_practice: role,
    },
    ...{ iss: issuer, aud: 'authenticated', iat: now - 60, exp: now + seconds - SKEW_SECONDS },
  };
  return jwt.sign(claims, key);
}

/**
 * Does something within the life of a token. If a busy machine takes longer, it is done again with a token that lives longer.
 * @param seconds the life of the first token
 */
async function inTime<T>(seconds: number, act: (seconds: number) => Promise<T>): Promise<T> {
  const end = Date.now() + (seconds - 2) * 1000;
  const done = await act(seconds);
  return Date.now() < end || seconds > 60 ? done : inTime(seconds * 2, act);
}

async function personalToken(): Promise<string> {
  const headers = { authorization: `Bearer ${practice.token}` };
  const body = { name: randomUUID(), expires_in: 3600 };
  const made = await patient(() => call('/auth/v1/tokens', { method: 'POST', headers, body }));
  return (made.json as { token: string }).token;
}

const clientWith = (token: string) => clientOf({ token }, { origin: gateway?.origin ?? '' });

async function channelWith(token: string, name = randomUUID()): Promise<RealtimeChannel> {
  return (await clientWith(token)).channel(name);
}

describe('a join', () => {
  it.each<[string, () => string, string]>([
    ['the API key only', () => stack().apikey, 'Unauthorized: Anonymous access is disabled'],
    ['a text that is no token', () => 'nonsense', 'MalformedJWT: Expected 3 parts in JWT; got 1'],
    [
      'a token that another key has signed',
      () => foreignToken({ key: 'x'.repeat(40) }),
      'MalformedJWT: No suitable key',
    ],
    ['a token that has ended', () => foreignToken({ seconds: -60 }), 'InvalidJWTToken: JWT expired'],
  ])('with %s is refused', async (_, token, reason) => {
    const [status] = await subscribed(await channelWith(token()));
    expect(status).toContain(`CHANNEL_ERROR ${reason}`);
  });

  it('with the token of a session that has ended is refused', async () => {
    const { token } = practiceOf(practice, await signIn(practice));
    await clientWith(token);
    const { baseUrl, apikey } = stack();
    const headers = { apikey, authorization: `Bearer ${token}` };
    expect((await fetch(`${baseUrl}/auth/v1/logout?scope=local`, { method: 'POST', headers })).status).toBe(
      204,
    );
    const channel = await channelWith(token);
    await eventually('the join is refused', async () =>
      (await subscribed(channel)).some((status) => status.includes('JWT session has ended')),
    );
  });
});

describe('a channel', () => {
  it('is closed when its token ends, with the reason', async () => {
    const { statuses, system } = await inTime(4, async (seconds) => {
      const channel = await channelWith(foreignToken({ seconds }));
      const system = systemOf(channel);
      return { system, statuses: await subscribed(channel) };
    });
    await eventually('the channel is closed', () => statuses.includes('CLOSED'));
    expect([statuses, system]).toEqual([
      ['SUBSCRIBED', 'CLOSED'],
      ['system error: InvalidJWTToken: JWT expired'],
    ]);
  });

  it('stays open with a new token, and gets changes', async () => {
    const { heard, statuses, seconds } = await inTime(4, async (seconds) => {
      const client = await clientWith(foreignToken({ seconds }));
      const channel = client.channel('renewed');
      const heard = listen(channel, { table: 'clients' });
      const statuses = await subscribed(channel);
      client.realtime.accessToken = null;
      await client.realtime.setAuth(foreignToken());
      return { heard, statuses, seconds };
    });
    const ended = await inTime(seconds + 2, async (longer) =>
      subscribed(await channelWith(foreignToken({ seconds: longer }))),
    );
    // The token of this channel ends after the first token of the renewed channel.
    await eventually('the other channel is closed', () => ended.includes('CLOSED'));
    await make(practice, 'clients', { name: 'Ada' });
    await eventually('the change has arrived', () => heard.length === 1);
    expect(statuses).toEqual(['SUBSCRIBED']);
  });

  it('gets the token of a refresh from supabase-js itself, and gets changes', async () => {
    const client = sessionClient(gateway?.origin ?? '');
    const { email, password } = practice;
    const { data } = await client.auth.signInWithPassword({ email, password });
    const channel = client.channel('refreshed');
    const heard = listen(channel, { table: 'clients' });
    const statuses = await subscribed(channel);
    const refreshed = await client.auth.refreshSession();
    expect(refreshed.data.session?.access_token).not.toBe(data.session?.access_token);
    await eventually(
      'realtime has the new token',
      () => client.realtime.accessTokenValue === refreshed.data.session?.access_token,
    );
    await make(practice, 'clients', { name: 'Bob' });
    await eventually('the change has arrived', () => heard.length === 1);
    expect(statuses).toEqual(['SUBSCRIBED']);
  });

  it('is closed by a new token that is invalid or is for another practice', async () => {
    const foreign = await newPractice();
    for (const [token, reason] of [
      ['nonsense', 'Expected 3 parts in JWT; got 1'],
      [foreign.token, 'The token is for another practice'],
    ] as const) {
      const client = await clientWith(foreignToken());
      const channel = client.channel('changed');
      const system = systemOf(channel);
      const statuses = await subscribed(channel);
      client.realtime.accessToken = null;
      await client.realtime.setAuth(token);
      await eventually('the channel is closed', () => statuses.includes('CLOSED'));
      expect(system.join()).toContain(reason);
    }
  });

  it('has the last of several new tokens, whose checks take different times', async () => {
    const last = foreignToken({ role: 'billing' });
    const ofLast = expect.stringContaining('table sessions does not exist');
    /** Sends an earlier token and the last one. @returns the status of the channel, and the messages about it */
    const sent = async (earlier: string): Promise<[string[], string[]]> => {
      const client = await clientWith(foreignToken());
      const channel = client.channel('raced');
      const system = systemOf(channel);
      listen(channel, { table: 'sessions' });
      const statuses = subscribing(channel);
      await eventually('the subscription is there', () => system.length === 1);
      client.realtime.accessToken = null;
      await Promise.all([earlier, last].map((token) => client.realtime.setAuth(token)));
      await eventually('the token has changed', () => system.length > 1);
      // The check of this personal token ends after the check of the earlier one.
      expect(await subscribed(await channelWith(await personalToken()))).toEqual(['SUBSCRIBED']);
      return [statuses, system.slice(1)];
    };
    for (const end of ['', 'nope']) {
      let seen: [string[], string[]] = [[], []];
      // On a busy machine, the check of the earlier token may end before the last token arrives. Then the tokens do not race.
      for (let tries = 0; tries < 5 && !seen[1][0]?.includes('table sessions'); tries += 1) {
        const personal = await personalToken();
        seen = await sent(personal.slice(0, personal.length - end.length) + end);
      }
      expect(seen).toEqual([['SUBSCRIBED'], [ofLast]]);
    }
  });

  it('is closed when the session ends', async () => {
    const { token } = practiceOf(practice, await signIn(practice));
    const channel = await channelWith(token);
    const system = systemOf(channel);
    const statuses = await subscribed(channel);
    const { baseUrl, apikey } = stack();
    const headers = { apikey, authorization: `Bearer ${token}` };
    await fetch(`${baseUrl}/auth/v1/logout?scope=local`, { method: 'POST', headers });
    await eventually('the channel is closed', () => statuses.includes('CLOSED'));
    expect(system).toEqual(['system error: InvalidJWTToken: JWT session has ended']);
  });
});

describe('a role', () => {
  it('gets changes only of the resources and columns that it reads', async () => {
    const [owner, billing] = await Promise.all(
      ['owner', 'billing'].map(async (role) => {
        const channel = await channelWith(foreignToken({ role }));
        const all = listen(channel, { table: '*' });
        expect(await subscribed(channel)).toEqual(['SUBSCRIBED']);
        return all;
      }),
    );
    const { id: client_id } = await make(practice, 'clients', { name: 'Bob', phone: '1' });
    await make(practice, 'sessions', { client_id, plan: 'a canary' });
    const { id } = await make(practice, 'appointments', { ...slot(0), client_id, notes: 'a canary' });
    await patch(practice, 'appointments', { id, notes: 'another canary' });
    await make(practice, 'expenses', { date: '2030-01-07', amount: 5, description: 'tea' });
    await eventually('all have arrived', () =>
      [owner, billing].every((all) => all?.some(({ table }) => table === 'expenses')),
    );
    await eventually('the owner has heard of notes', () => owner?.some(({ table }) => table === 'sessions'));
    await eventually('the owner has heard of the change', () =>
      owner?.some(({ eventType }) => eventType === 'UPDATE'),
    );
    expect(billing?.map(({ table }) => table)).not.toContain('sessions');
    const read = await fetch(`${gateway?.origin}/rest/v1/appointments?id=eq.${id}`, {
      headers: { apikey: stack().apikey, authorization: `Bearer ${foreignToken({ role: 'billing' })}` },
    });
    const [shown] = (await read.json()) as object[];
    const made = billing?.find(({ table, eventType }) => table === 'appointments' && eventType === 'INSERT');
    expect(made?.new).toEqual(shown);
  });

  it('takes effect on open channels when it changes', async () => {
    const { member, membershipId: id } = await memberOf(practice, 'therapist');
    const channel = await channelWith(member.token);
    const system = systemOf(channel);
    const heard = listen(channel, { table: 'sessions' });
    const statuses = subscribing(channel);
    await eventually('the subscription is there', () =>
      system.includes('postgres_changes ok: Subscribed to PostgreSQL'),
    );
    const { id: client_id } = await make(practice, 'clients', { name: 'Cy' });
    await make(practice, 'sessions', { client_id });
    await eventually('the note is heard of', () => heard.length === 1);

    await patch(practice, 'memberships', { id, role: 'billing' });
    await eventually('the subscription ends', () => system.at(-1)?.includes('table sessions does not exist'));
    // A listener at the same process. When it has received the change, the other listener would have received it, too.
    const owner = await channelWith(practice.token);
    const heardByOwner = listen(owner, { table: 'sessions' });
    expect(await subscribed(owner)).toEqual(['SUBSCRIBED']);
    await make(practice, 'sessions', { client_id });
    await eventually('the owner has heard', () => heardByOwner.length === 1);
    expect(heard).toHaveLength(1);
    expect(statuses).toEqual(['SUBSCRIBED']);
  });
});
