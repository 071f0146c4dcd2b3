// The access tokens of apps for the assistant's endpoint, and only for it.

import { beforeAll, describe, expect, it } from '@jest/globals';
import { newPractice, type Practice, stack } from '@practice/testing';
import { asApp, connected, registeredApp } from './oauth-apps.js';

const READ = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'read', arguments: { resource: 'clients' } },
};

let practice: Practice;
beforeAll(async () => {
  practice = await newPractice();
});

async function grant(scope: string, params: Record<string, string>): Promise<string> {
  const app = await registeredApp(practice);
  return (await connected(app, practice, { scope, params })).access_token;
}

const forAssistant = () => grant('clients:read', { resource: `${stack().baseUrl}/mcp` });

/** Sends a message like a client, without an API key. */
async function send(token: string): Promise<{ status: number; text: string }> {
  const response = await fetch(`${stack().baseUrl}/mcp`, {
    method: 'POST',
    headers: {
      ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      ...{ connection: 'close', authorization: `Bearer ${token}` },
    },
    body: JSON.stringify(READ),
  });
  return { status: response.status, text: await response.text() };
}

describe('the token of an app', () => {
  it('for the assistant reaches its endpoint', async () => {
    expect(await send(await forAssistant())).toMatchObject({
      status: 200,
      text: expect.stringContaining('0 of clients'),
    });
  });

  it('for the assistant reaches nothing else, even after a gateway has verified it', async () => {
    const token = await forAssistant();
    expect((await send(token)).status).toBe(200);
    for (const path of ['/rest/v1/clients', '/events/v1/', '/auth/v1/oauth/userinfo'])
      expect((await asApp(token, path)).status).toBe(401);
  });

  it('for the API does not reach the endpoint, even after a gateway has verified it', async () => {
    const token = await grant('clients:read', {});
    expect((await asApp(token, '/rest/v1/clients')).status).toBe(200);
    expect((await send(token)).status).toBe(401);
  });

  it('is refused after its grant was revoked', async () => {
    const token = await forAssistant();
    expect((await send(token)).status).toBe(200);
    const newest = 'oauth_grants?order=created_at.desc&limit=1';
    const [one] = (await practice.rest(newest)).json as { id: string }[];
    await practice.rest(`oauth_grants?id=eq.${one?.id ?? ''}`, { method: 'DELETE' });
    expect((await send(token)).status).toBe(401);
  });
});
