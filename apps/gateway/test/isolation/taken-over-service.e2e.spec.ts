// A service that was taken over, with its real credentials, and a process that has a gateway's NATS password but not its key.

import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ALIVE_SUBJECT, CERTIFY_ERASURE, type Certificate } from '@practice/contracts';
import { IDENTITY_CHANGES, IDENTITY_CHANGES_KNOWN, serviceNames } from '@practice/contracts';
import type { Identity, OnBehalf } from '@practice/core';
import { connect, createRequester, createSigner } from '@practice/bus';
import type { Connection, InPractice, StateIdentity } from '@practice/bus';
import { call, eventually, newPractice, readStatus, stack, type Practice } from '@practice/testing';

const quiet = { info: () => {}, warn: () => {}, error: () => {} };
const otherKey = generateKeyPairSync('ed25519')
  .privateKey.export({ format: 'der', type: 'pkcs8' })
  .toString('base64url');
const realKey = (): string =>
  (JSON.parse(readFileSync(join(stack().dataDir, 'secrets.json'), 'utf8')) as { statement_key: string })
    .statement_key;

let victim: Practice;
let identity: Identity;
let gateway: Connection;
let finance: Connection;

beforeAll(async () => {
  victim = await newPractice();
  identity = { therapistId: victim.therapistId, userId: victim.therapistId, practiceRole: 'owner' };
  gateway = await connectedAs('gateway');
  finance = await connectedAs('finance');
});
afterAll(() => Promise.all([gateway.close(), finance.close()]));

const connectedAs = (user: string): Promise<Connection> =>
  connect({ url: stack().natsUrl(user), name: 'taken over', logger: quiet });

/** The status of a call on behalf of the victim. */
async function statusOf(service: string, stateIdentity: StateIdentity): Promise<number> {
  const requester = createRequester({
    connection: gateway,
    user: 'gateway',
    stateIdentity,
    timeoutMs: 60_000,
  });
  const isIdentity = service === 'identity';
  const envelope = {
    ...{ op: isIdentity ? 'account' : 'query', requestId: randomUUID(), identity, address: '192.0.2.1' },
    ...(isIdentity ? { route: 'listTokens', method: 'GET', query: '' } : {}),
  };
  try {
    return (await requester.request<OnBehalf>(service, envelope, isIdentity ? '' : '{}')).status;
  } finally {
    requester.close();
  }
}

describe('a process with the password of a gateway but not its key', () => {
  it.each(serviceNames)('is refused by %s', async (service) => {
    const altered: StateIdentity = (_, to) => {
      const [payload = '', signature = ''] = createSigner(realKey())(
        { ...identity, therapistId: randomUUID() },
        to,
      ).split('.');
      const stated = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Identity;
      const changed = JSON.stringify({ ...stated, therapistId: victim.therapistId });
      return `${Buffer.from(changed).toString('base64url')}.${signature}`;
    };
    const forOther = serviceNames.find((other) => other !== service) ?? '';
    const statements: StateIdentity[] = [
      createSigner(otherKey),
      altered,
      createSigner(realKey(), () => Date.now() - 151_000),
      (stated) => createSigner(realKey())(stated, forOther),
      () => undefined as never,
    ];
    const statuses: number[] = [];
    for (const statement of statements) statuses.push(await statusOf(service, statement));
    expect(statuses).toEqual([401, 401, 401, 401, 401]);
    expect(await statusOf(service, createSigner(realKey()))).not.toBe(401);
  });
});

const askJetStream = async (does: string, content: object): Promise<unknown> => {
  const api = `$JS.API.CONSUMER.${does}.PRACTICE_EVENTS.finance~replay`;
  return (await finance.nats.request(api, JSON.stringify(content), { timeout: 60_000 })).json();
};

/**
 * Makes JetStream send a subject's events to a subject that finance may not publish to. No NATS permission covers the deliver
 * subject of a consumer. Erasures of other specs use the same consumer.
 */
async function redirect(to: string, more: object): Promise<void> {
  await askJetStream('DELETE', {});
  const config = { name: 'finance~replay', deliver_subject: to, ack_policy: 'none', ...more };
  expect(await askJetStream('CREATE', { stream_name: 'PRACTICE_EVENTS', config })).toMatchObject({
    config: { deliver_subject: to },
  });
}

async function deliver(to: string, data: string): Promise<void> {
  const filter_subject = `practice.events.finance.${randomUUID()}.nothing.NothingHappened`;
  await redirect(to, { filter_subject, deliver_policy: 'all' });
  await finance.nats.request(filter_subject, data, { timeout: 60_000 });
}

describe('a service that makes JetStream deliver its events to another subject', () => {
  it('cannot end a session through the subject for changes of sessions and keys', async () => {
    const claims = Buffer.from(victim.token.split('.')[1] ?? '', 'base64url').toString();
    const { session_id: id } = JSON.parse(claims) as { session_id: string };
    const ending = { type: 'SessionsEnded', sessions: [{ id, until: Date.now() + 60_000 }] };
    const heard: string[] = [];
    const subscription = gateway.nats.subscribe(IDENTITY_CHANGES, {
      callback: (_error, message) => void heard.push(message.string()),
    });
    await gateway.nats.flush();
    await eventually('the message has arrived', async () => {
      await deliver(IDENTITY_CHANGES, JSON.stringify(ending));
      await gateway.nats.flush();
      return heard.includes(JSON.stringify(ending));
    });
    subscription.unsubscribe();
    expect(await readStatus(victim.token)).toBe(200);
  });

  // A status message of JetStream has no data and no reply subject.
  it.each([
    [IDENTITY_CHANGES, 'gateway'],
    [IDENTITY_CHANGES_KNOWN, 'identity'],
    [ALIVE_SUBJECT, 'live'],
  ])('cannot end the connections that listen to %s by heartbeats', async (subject, user) => {
    const listening = await connectedAs(user);
    let heartbeats = 0;
    listening.nats.subscribe(subject, {
      callback: (_error, { data }) => void (heartbeats += data.length === 0 ? 1 : 0),
    });
    await listening.nats.flush();
    await eventually('heartbeats have arrived', async () => {
      await redirect(subject, { deliver_policy: 'new', idle_heartbeat: 100_000_000 });
      await pause(500);
      return heartbeats > 0;
    });
    await askJetStream('DELETE', {});
    await listening.close();
    const { token, email, password } = await newPractice();
    expect(await readStatus(token)).toBe(200);
    const body = { email, password };
    expect((await call('/auth/v1/token?grant_type=password', { method: 'POST', body })).status).toBe(200);
    const authorization = `Bearer ${token}`;
    const signedOut = await call('/auth/v1/logout', { method: 'POST', headers: { authorization } });
    expect(signedOut.status).toBe(204);
    expect(await readStatus(token)).toBe(401);
  });
});

describe('the service that erases clients', () => {
  it('cannot have a certificate signed that is an access token', async () => {
    const connection = await connectedAs('clients');
    const requester = createRequester({ connection, user: 'clients', timeoutMs: 60_000 });
    const { therapistId } = victim;
    const claims = Buffer.from(victim.token.split('.')[1] ?? '', 'base64url').toString();
    const envelope = { op: CERTIFY_ERASURE, therapistId, requestId: randomUUID() };
    const { body } = await requester.request<InPractice>('identity', envelope, claims);
    requester.close();
    await connection.close();
    const { certificate } = JSON.parse(body.toString()) as Certificate;
    expect(await readStatus(certificate)).toBe(401);
    const signed = Buffer.from(certificate.split('.')[1] ?? '', 'base64url').toString();
    expect(JSON.parse(signed)).toEqual({ therapist_id: therapistId });
  });
});
