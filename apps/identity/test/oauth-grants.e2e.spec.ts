// The rights and the end of a grant. Everything that ends tokens also ends grants, from the next request on.

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  adminDatabase,
  auth,
  eventually,
  make,
  memberOf,
  newPractice,
  practiceOf,
  signIn,
  slot,
  stack,
  type Answer,
  type Practice,
} from '@practice/testing';
import * as client from 'openid-client';
import { WebSocket } from 'ws';
import { enroll } from './mfa-accounts.js';
import {
  answer,
  type App,
  asApp,
  begin,
  type Begun,
  CALLBACK,
  configOf,
  connected,
  registeredApp,
} from './oauth-apps.js';
import { tokenHash } from '../src/store/secrets.js';
import { joined, type Person, signUp, switchTo, tokenOf } from './people.js';

const admin = adminDatabase();
const READ = '/rest/v1/appointments?limit=1';
let other: Awaited<ReturnType<ReturnType<typeof stack>['spawnProcess']>>;
beforeAll(async () => {
  other = await stack().spawnProcess('gateway', {
    LIMIT_READS_PER_MINUTE: '3',
    LIMIT_WRITES_PER_MINUTE: '3',
  });
});
afterAll(() => other.stop());

interface Granted {
  readonly practice: Practice;
  readonly app: App;
  readonly token: string;
  readonly refresh: string;
}

/** Makes a grant whose token both gateways have verified. */
async function granted(
  person?: Practice,
  { practice = person, scope = 'appointments:read' }: { practice?: Practice; scope?: string } = {},
): Promise<Granted> {
  const owner = practice ?? (await newPractice());
  const app = await registeredApp(owner);
  const tokens = await connected(app, person ?? owner, scope);
  const { access_token: token, refresh_token: refresh = '' } = tokens;
  for (const origin of [stack().baseUrl, other.origin])
    expect((await asApp(token, READ, { origin })).status).toBe(200);
  return { practice: owner, app, token, refresh };
}

/** Expects that the grant has ended: at once in the first gateway, soon in the other gateway, and for its refresh token. */
async function expectEnd({ token, app, refresh }: Granted): Promise<void> {
  expect(await asApp(token, READ)).toMatchObject({ status: 401, json: { code: 'PGRST303' } });
  await eventually('the other gateway knows it', async () => {
    const { status } = await asApp(token, READ, { origin: other.origin });
    return status === 401;
  });
  await expect(client.refreshTokenGrant(app.config, refresh)).rejects.toMatchObject({
    error: 'invalid_grant',
  });
}

/** An app of the practice of this person. */
async function appOf({ supabase }: Person): Promise<App> {
  const app = { name: 'Calendar Sync', redirect_uris: [CALLBACK], kind: 'public' };
  const { data } = await supabase.from('oauth_clients').insert(app).select('id').single();
  const { id: clientId } = data as { id: string };
  return { clientId, config: await configOf(clientId), redirectUri: CALLBACK };
}

interface Steps<T> {
  readonly change: () => PromiseLike<T>;
  readonly approve: () => Promise<Answer>;
}

/** Sends an approval whose checks are made before a change of the practice, and whose grant is made after it. */
async function approvedDuring<T>(
  therapistId: string,
  { authorizationId }: Begun,
  { change, approve }: Steps<T>,
): Promise<[T, Answer]> {
  const exists = async (rows: string, ...values: string[]) =>
    (await admin.query(`SELECT FROM ${rows}`, values)).rowCount !== 0;
  await admin.query('BEGIN');
  try {
    await admin.query('SELECT FROM identity.practice_head WHERE therapist_id = $1 FOR UPDATE', [therapistId]);
    const changed = Promise.resolve(change());
    await eventually('the change waits for the practice', () =>
      exists('pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))'),
    );
    const approved = approve();
    // The answer is stored once it has passed the checks. Then its grant waits behind the change.
    await eventually('the approval was checked', () =>
      exists(
        'identity.oauth_payloads WHERE id_hash = $1 AND consumed_at IS NOT NULL',
        tokenHash(`Interaction ${authorizationId}`),
      ),
    );
    await admin.query('COMMIT');
    return await Promise.all([changed, approved]);
  } finally {
    await admin.query('ROLLBACK');
  }
}

describe('a grant', () => {
  it('ends with a new password', async () => {
    const grant = await granted();
    const { token, password: current_password } = grant.practice;
    const body = { password: 'another horse battery', current_password };
    expect((await auth('PUT', 'user', { token, body })).status).toBe(200);
    await expectEnd(grant);
  });

  it('can only read in a closed practice, where no new grant can be made until it is open again', async () => {
    const { practice, app, token } = await granted(undefined, { scope: 'appointments:read clients:write' });
    const body = { name: 'My practice', current_password: practice.password };
    expect((await practice.rest('rpc/close_practice', { method: 'POST', body })).status).toBe(200);
    expect((await asApp(token, READ)).status).toBe(200);
    // The clients service learns by an event that the practice is closed.
    await eventually('writes are refused', async () => {
      const written = await asApp(token, '/rest/v1/clients', { method: 'POST', body: { name: 'Ada' } });
      return written.status === 409 && (written.json as { code: string }).code === 'PM017';
    });
    const begun = await begin(app, 'clients:read');
    const refused = { status: 409, json: { error_code: 'practice_closed' } };
    expect(await answer(practice, begun)).toMatchObject(refused);
    await practice.rest('rpc/reopen_practice', { method: 'POST', body: {} });
    expect((await answer(practice, begun)).status).toBe(200);
    expect((await answer(practice, begun)).status).toBe(404);
  });

  it('ends with the membership', async () => {
    const practice = await newPractice();
    const { member, membershipId } = await memberOf(practice, 'therapist');
    const grant = await granted(member, { practice });
    const removal = { method: 'PATCH', body: { status: 'removed' } };
    expect((await practice.rest(`memberships?id=eq.${membershipId}`, removal)).status).toBe(204);
    await expectEnd(grant);
  });

  it('is not made for a member whose removal comes first', async () => {
    const practice = await newPractice();
    const { member, membershipId } = await memberOf(practice, 'therapist');
    const home = { method: 'POST', body: { therapist_id: member.therapistId } };
    expect((await member.rest('rpc/switch_practice', home)).status).toBe(200);
    const person = practiceOf(member, await signIn(member));
    const begun = await begin(await registeredApp(practice), 'appointments:read');
    const removal = { method: 'PATCH', body: { status: 'removed' } };
    const [removed, approval] = await approvedDuring(practice.therapistId, begun, {
      change: () => practice.rest(`memberships?id=eq.${membershipId}`, removal),
      approve: () => answer(person, begun, { action: 'approve', therapist_id: practice.therapistId }),
    });
    expect(removed.status).toBe(204);
    expect(approval).toMatchObject({ status: 400 });
    expect((await practice.rest('oauth_grants')).json).toEqual([]);
  });

  it('is not made without a second factor that the practice begins to require first', async () => {
    const owner = await signUp();
    await enroll(owner);
    const member = await joined(owner, 'therapist');
    await switchTo(member, member.id);
    const begun = await begin(await appOf(owner), 'appointments:read');
    const token = await tokenOf(member);
    const [changed, approval] = await approvedDuring(owner.id, begun, {
      change: () => owner.supabase.from('practices').update({ require_mfa: true }).eq('id', owner.id),
      approve: () => answer({ token }, begun, { action: 'approve', therapist_id: owner.id }),
    });
    expect(changed).toMatchObject({ error: null });
    expect(approval).toMatchObject({ status: 403, json: { error_code: 'insufficient_aal' } });
    expect(await owner.supabase.from('oauth_grants').select()).toMatchObject({ data: [] });
  });

  it('is not made for an app whose registration is deleted first', async () => {
    const practice = await newPractice();
    const app = await registeredApp(practice);
    const begun = await begin(app, 'appointments:read');
    const [deleted, approval] = await approvedDuring(practice.therapistId, begun, {
      change: () => practice.rest(`oauth_clients?id=eq.${app.clientId}`, { method: 'DELETE' }),
      approve: () => answer(practice, begun, { action: 'approve', therapist_id: practice.therapistId }),
    });
    expect(deleted.status).toBe(204);
    expect(approval).toMatchObject({ status: 404, json: { error_code: 'oauth_authorization_not_found' } });
    expect((await practice.rest('oauth_grants')).json).toEqual([]);
  });

  it('ends when it expires, and its record is deleted', async () => {
    const grant = await granted();
    const { practice, app } = grant;
    await admin.query(`UPDATE identity.personal_tokens SET expires_at = now() WHERE oauth_client_id = $1`, [
      app.clientId,
    ]);
    await admin.query(`UPDATE identity.oauth_grant_uses SET expires_at = now() WHERE therapist_id = $1`, [
      practice.therapistId,
    ]);
    await expect(client.refreshTokenGrant(app.config, grant.refresh)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    await eventually('the record is gone', async () => {
      const { json } = await practice.rest('oauth_grants');
      return (json as object[]).length === 0;
    });
    await expectEnd(grant);
  });

  it('loses only the rights that a new role does not permit', async () => {
    const practice = await newPractice();
    const { member, membershipId } = await memberOf(practice, 'therapist');
    const grant = await granted(member, { practice, scope: 'appointments:read clients:write' });
    const write = () => asApp(grant.token, '/rest/v1/clients', { method: 'POST', body: { name: 'Ada' } });
    expect((await write()).status).toBe(201);
    const change = { method: 'PATCH', body: { role: 'read_only' } };
    expect((await practice.rest(`memberships?id=eq.${membershipId}`, change)).status).toBe(204);
    expect(await write()).toMatchObject({ status: 403, json: { code: '42501' } });
    expect((await asApp(grant.token, READ)).status).toBe(200);
  });

  it('ends for a member without the second factor that the practice requires', async () => {
    const owner = await signUp();
    await enroll(owner);
    const member = await joined(owner, 'therapist');
    const tokens = await connected(await appOf(owner), { token: await tokenOf(member) }, 'appointments:read');
    expect((await asApp(tokens.access_token, READ)).status).toBe(200);
    const required = { require_mfa: true };
    const changed = await owner.supabase.from('practices').update(required).eq('id', owner.id).select('id');
    expect(changed).toMatchObject({ error: null, data: [{ id: owner.id }] });
    await eventually('the grant does not count', async () => {
      const { status } = await asApp(tokens.access_token, READ);
      return status === 401;
    });
  });

  it('has its own rate limit for each member and app', async () => {
    const practice = await newPractice();
    const tokens = await Promise.all(
      [1, 2].map(
        async () =>
          (await connected(await registeredApp(practice), practice, 'appointments:read')).access_token,
      ),
    );
    const [one = '', two = ''] = tokens;
    const { origin } = other;
    const statuses: number[] = [];
    for (let reads = 0; reads < 4; reads += 1) statuses.push((await asApp(one, READ, { origin })).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect((await asApp(two, READ, { origin })).status).toBe(200);
    expect((await practice.rest('appointments', { origin })).status).toBe(200);
  });
});

describe('the events of a practice', () => {
  it('reach an app within its scopes, without an API key', async () => {
    const { practice, token } = await granted();
    const { id: client_id } = await make(practice, 'clients', { name: 'Ada Lovelace' });
    const { id } = await make(practice, 'appointments', { client_id, ...slot(0) });
    const { events } = await eventually('the event is in the feed', async () => {
      const { status, json } = await asApp(token, '/events/v1/');
      if (status === 503) return undefined;
      expect([status, status === 200 ? '' : json]).toEqual([200, '']);
      const page = json as { events: { subject: string }[] };
      return page.events.length > 0 ? page : undefined;
    });
    expect(events.map(({ subject }) => subject)).toEqual([id]);
  });
});

describe('the changes of records', () => {
  interface Message {
    readonly event: string;
    readonly payload: { readonly status?: string; readonly data?: { readonly table: string } };
  }

  /** A socket without an API key, joined for the changes of these resources. */
  async function subscribed(token: string, tables: readonly string[]): Promise<Message[]> {
    const url = `${stack().baseUrl.replace('http', 'ws')}/realtime/v1/websocket?vsn=1.0.0`;
    const socket = new WebSocket(url, { headers: { authorization: `Bearer ${token}` } });
    sockets.push(socket);
    const messages: Message[] = [];
    socket.on('message', (data: Buffer) => messages.push(JSON.parse(data.toString()) as Message));
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    const changes = tables.map((table) => ({ event: '*', schema: 'public', table }));
    const payload = { config: { postgres_changes: changes }, access_token: token };
    socket.send(JSON.stringify({ topic: 'realtime:x', event: 'phx_join', payload, ref: '1', join_ref: '1' }));
    await eventually('the channel is joined', () => messages.some(({ event }) => event === 'system'));
    return messages;
  }

  const sockets: WebSocket[] = [];
  afterAll(() => {
    for (const socket of sockets) socket.close();
  });

  it('reach an app within its scopes, without an API key', async () => {
    const { practice, token } = await granted();
    const messages = await subscribed(token, ['appointments', 'clients']);
    const { id: client_id } = await make(practice, 'clients', { name: 'Ada Lovelace' });
    await make(practice, 'appointments', { client_id, ...slot(0) });
    const changed = () => messages.flatMap(({ payload }) => payload.data?.table ?? []);
    await eventually('the appointment has arrived', () => changed().includes('appointments'));
    expect(changed()).toEqual(['appointments']);
  });
});

describe('another gateway', () => {
  it('accepts the token of a grant that it has never seen', async () => {
    const { app, practice } = await granted();
    const config = await configOf(app.clientId, undefined, other.origin);
    expect(config.serverMetadata().issuer).toBe(`${stack().baseUrl}/auth/v1`);
    const tokens = await connected(app, practice, 'appointments:read');
    expect((await asApp(tokens.access_token, READ, { origin: other.origin })).status).not.toBe(401);
  });
});
