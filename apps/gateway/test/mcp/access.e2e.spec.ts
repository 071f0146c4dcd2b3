// Access to the assistant's endpoint, and the responses from which a client learns which access it lacks.

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call, newPractice, ownStack, type OwnStack, type Practice, stack } from '@practice/testing';
import { assistantWith, eras, personalToken } from './assistants.js';

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const calling = (name: string, args: object = {}): object => ({
  ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
  params: { name, arguments: args },
});

let practice: Practice;
beforeAll(async () => {
  practice = await newPractice();
});

/** A message as clients send it, without an API key. */
async function send(token: string | undefined, body: unknown, endpoint = `${stack().baseUrl}/mcp`) {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: {
      ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      connection: 'close',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, challenge: response.headers.get('www-authenticate') ?? '', text };
}

describe('the endpoint', () => {
  it.each(eras)('accepts a personal access token, in %s', async (era) => {
    const { call: use } = await assistantWith(await personalToken(practice), { era });
    expect(await use('read', { resource: 'clients' })).toMatchObject({
      isError: false,
      data: { records: [] },
    });
  });

  it('marks the list of tools as private to the holder of the token', async () => {
    const { client } = await assistantWith(await personalToken(practice));
    expect(await client.listTools()).toMatchObject({ cacheScope: 'private' });
  });

  it.each(['/mcp', '/%6dcp'])(
    'at %s names the source and the scopes of a token to a client without one',
    async (path) => {
      const { baseUrl } = stack();
      const { status, challenge } = await send(undefined, LIST, `${baseUrl}${path}`);
      expect(status).toBe(401);
      expect(challenge).toContain(`resource_metadata="${baseUrl}/.well-known/oauth-protected-resource/mcp"`);
      expect(challenge).toMatch(/^Bearer scope="appointments:read /);
    },
  );

  it.each([
    ['the token of a session', () => Promise.resolve(practice.token)],
    ['a text', () => Promise.resolve('secret')],
  ])('refuses %s', async (_, token) => {
    const { status, challenge } = await send(await token(), LIST);
    expect([status, challenge]).toEqual([
      401,
      expect.stringMatching(/^Bearer error="invalid_token", scope="/),
    ]);
  });

  it('asks for the scope that a call lacks', async () => {
    const token = await personalToken(practice, ['clients:read']);
    const day = await send(token, calling('day', { from: '2031-01-01' }));
    expect([day.status, day.challenge]).toEqual([
      403,
      expect.stringMatching(
        /^Bearer error="insufficient_scope", scope="appointments:read", resource_metadata=/,
      ),
    ]);
    const read = await send(token, calling('read', { resource: 'expenses' }));
    expect([read.status, read.challenge]).toEqual([403, expect.stringContaining('scope="expenses:read"')]);
    const writing = await personalToken(practice, ['clients:write']);
    const values = { date: '2031-01-01', amount: 1 };
    const write = await send(writing, calling('record', { resource: 'expenses', values }));
    expect([write.status, write.challenge]).toEqual([403, expect.stringContaining('scope="expenses:write"')]);
  });

  it.each([
    ['no JSON', '{'],
    ['a batch', [LIST, LIST]],
    ['a text', '"tools/list"'],
  ])('refuses a body that is %s', async (_, body) => {
    expect((await send(await personalToken(practice), body)).status).toBe(400);
  });

  it('refuses GET, since it has no streams', async () => {
    expect((await call('/mcp')).status).toBe(405);
  });

  it('refuses to keep a stream open', async () => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'spec', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const params = { notifications: { toolsListChanged: true }, _meta };
    const listen = { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params };
    const { text } = await send(await personalToken(practice), listen);
    expect(text).toContain('error');
  });
});

describe('a gateway with CORS_ORIGINS', () => {
  it('accepts messages from its own pages, from pages of listed origins, and from programs', async () => {
    const [own, app] = [stack().baseUrl, 'https://app.example'];
    const gateway = await stack().spawnProcess('gateway', { CORS_ORIGINS: app });
    const token = await personalToken(practice);
    const statuses = [own, app, undefined, 'https://evil.example', 'null'].map(async (origin) => {
      const response = await fetch(`${gateway.origin}/mcp`, {
        method: 'POST',
        headers: {
          ...{ authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          ...{ accept: 'application/json, text/event-stream', connection: 'close' },
          ...(origin !== undefined && { origin }),
        },
        body: JSON.stringify(LIST),
      });
      return [origin, response.status, response.headers.get('www-authenticate')];
    });
    expect(await Promise.all(statuses)).toEqual([
      ...[own, app, undefined].map((origin) => [origin, 200, null]),
      ...['https://evil.example', 'null'].map((origin) => [origin, 403, null]),
    ]);
    await gateway.stop();
  });
});

describe('a gateway with MCP=off', () => {
  let own: OwnStack;
  afterAll(() => own.stop());

  it('has no endpoint', async () => {
    own = await ownStack();
    await own.start('identity');
    const { origin } = await own.start('gateway', { MCP: 'off' });
    expect((await send('token', LIST, origin)).status).toBe(404);
  });
});
