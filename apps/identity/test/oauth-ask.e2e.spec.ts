// When an assistant with a token must ask the person, in the identities that gateways verify, and the answers to its proposals.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Authentication } from '@practice/authentication';
import { connect, createRequester, type Connection, type Requester } from '@practice/bus';
import { type KeptProposal, PROPOSAL, type ProposalQuestion } from '@practice/contracts';
import { memoryCounters } from '@practice/limits';
import { createLogger } from '@practice/process';
import { auth, newPractice, type Practice, stack } from '@practice/testing';
import { register, signInWith, type SoftwarePasskey } from './authenticator.js';
import { client, enroll, signedIn, tokenOf } from './mfa-accounts.js';
import { type App, connected, registeredApp } from './oauth-apps.js';
import { joined, signUp, switchTo } from './people.js';

let practice: Practice;
let app: App;
let connection: Connection;
let requester: Requester;
let authentication: Authentication;
let stop: () => void;
beforeAll(async () => {
  practice = await newPractice();
  app = await registeredApp(practice);
  const logger = createLogger('spec', 'silent');
  connection = await connect({ url: stack().natsUrl('gateway'), name: 'spec', logger });
  requester = createRequester({ connection, user: 'gateway', timeoutMs: 60_000 });
  const { apikey: anonKey, baseUrl } = stack();
  authentication = new Authentication({
    settings: { anonKey, baseUrl, signInsPerMinute: 0 },
    ...{ connection, requester, logger },
    counters: memoryCounters(),
  });
  stop = authentication.start();
});
afterAll(async () => {
  stop();
  requester.close();
  await connection.close();
});

async function askOf(token: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}` };
  const verified = await authentication.verify({ method: 'GET', headers, ip: '192.0.2.7', id: 'spec' });
  return verified.identity.ask;
}

describe('the verified identity', () => {
  it.each(['never', 'above', 'always'])('of a grant with ask %s has the same value', async (ask) => {
    const tokens = await connected(app, practice, { scope: 'appointments:read', consent: { ask } });
    expect(await askOf(tokens.access_token)).toBe(ask);
  });

  it('of a personal access token has the value above', async () => {
    const body = { name: 'assistant', current_password: practice.password };
    const { json } = await auth('POST', 'tokens', { token: practice.token, body });
    expect(await askOf((json as { token: string }).token)).toBe('above');
  });

  it('of a session has no value, because the person is present', async () => {
    expect(await askOf(practice.token)).toBeUndefined();
  });
});

async function ask(question: ProposalQuestion, content: object = {}): Promise<KeptProposal> {
  const envelope = { op: PROPOSAL, requestId: randomUUID(), ...question };
  const { body } = await requester.request('identity', envelope, JSON.stringify(content));
  return JSON.parse(body.toString()) as KeptProposal;
}

it('an answer does not remove the key of a proposal that is carried out at the same time', async () => {
  const ids = Array.from({ length: 20 }, () => randomUUID());
  for (const id of ids) await ask({ id, action: 'keep' });
  const asked = ids.flatMap((id): Promise<KeptProposal>[] => [
    ask({ id, action: 'claim', key: id }),
    ask({ id, action: 'answer', answer: 'declined' }),
  ]);
  await Promise.all(asked);
  for (const id of ids) expect(await ask({ id, action: 'find' })).toMatchObject({ key: id });
});

/** The page of a proposal, for a browser with this access token; an answer to it with a form. */
async function visited(
  token: string,
  query: string,
  form?: Readonly<Record<string, string>>,
): Promise<string> {
  const { baseUrl } = stack();
  const response = await fetch(`${baseUrl}/oauth/proposal${query}`, {
    method: form === undefined ? 'GET' : 'POST',
    headers: { cookie: `__Host-practice-access=${token}`, origin: baseUrl },
    ...(form !== undefined && { body: new URLSearchParams(form) }),
  });
  return response.text();
}

it('a proposal in a practice that requires a second factor is shown only to a session that has passed one', async () => {
  const owner = await signUp();
  await enroll(owner);
  const member = await joined(owner, 'therapist');
  const { passkey } = await register(member.supabase);
  await owner.supabase.from('practices').update({ require_mfa: true }).eq('id', owner.id);
  const strong = client();
  await signInWith(strong, passkey as SoftwarePasskey);
  await switchTo({ ...member, supabase: strong }, member.id);
  const weak = await tokenOf(await signedIn(member.email));
  const id = randomUUID();
  const holder = { therapistId: owner.id, userId: member.id, client: '' };
  await ask({ id, action: 'keep' }, { holder, changes: [], records: 1 });
  const answer = { id, action: 'confirm' };
  for (const page of [await visited(weak, `?id=${id}`), await visited(weak, '', answer)])
    expect(page).toContain('Code of your authenticator app');
  expect(await ask({ id, action: 'find' })).not.toHaveProperty('answer');
  expect(await visited(await tokenOf(strong), `?id=${id}`)).toContain('proposes a write of 1 record');
  await owner.supabase.from('memberships').update({ status: 'removed' }).eq('id', member.membershipId);
  const later = client();
  await signInWith(later, passkey as SoftwarePasskey);
  expect(await visited(await tokenOf(later), '', answer)).toContain('belongs to another person');
  expect(await ask({ id, action: 'find' })).not.toHaveProperty('answer');
});
