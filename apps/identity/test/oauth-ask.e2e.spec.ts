// When an assistant with a token must ask the person, in the identities that gateways verify, and the answers to its proposals.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Authentication } from '@practice/authentication';
import { connect, createRequester, type Connection, type Requester } from '@practice/bus';
import { type KeptProposal, PROPOSAL, type ProposalQuestion } from '@practice/contracts';
import { memoryCounters } from '@practice/limits';
import { createLogger } from '@practice/process';
import { auth, newPractice, type Practice, stack } from '@practice/testing';
import { type App, connected, registeredApp } from './oauth-apps.js';

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
  requester = createRequester({ connection, user: 'gateway', timeoutMs: 3_000 });
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

it('an answer does not remove the key of a proposal that is carried out at the same time', async () => {
  const ask = async (question: ProposalQuestion): Promise<KeptProposal> => {
    const envelope = { op: PROPOSAL, requestId: randomUUID(), ...question };
    const { body } = await requester.request('identity', envelope, '{}');
    return JSON.parse(body.toString()) as KeptProposal;
  };
  const ids = Array.from({ length: 20 }, () => randomUUID());
  for (const id of ids) await ask({ id, action: 'keep' });
  const asked = ids.flatMap((id): Promise<KeptProposal>[] => [
    ask({ id, action: 'claim', key: id }),
    ask({ id, action: 'answer', answer: 'declined' }),
  ]);
  await Promise.all(asked);
  for (const id of ids) expect(await ask({ id, action: 'find' })).toMatchObject({ key: id });
});
