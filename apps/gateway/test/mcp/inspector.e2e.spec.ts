// The MCP Inspector's command line connects as the README describes, in both revisions, and finds nothing that clients would refuse.

import { beforeAll, describe, expect, it } from '@jest/globals';
import { inspect, type Inspection, make, newPractice, rowsOf, stack } from '@practice/testing';
import type { Practice } from '@practice/testing';
import { appOf, approve, personalToken } from './assistants.js';

let practice: Practice;
let token: string;
let clientId: string;
beforeAll(async () => {
  practice = await newPractice();
  token = await personalToken(practice);
  clientId = (await make(practice, 'clients', { name: 'Ada Lovelace' })).id;
});

describe.each([
  ['2025-11-25', 'legacy'],
  ['2026-07-28', 'modern'],
])('the Inspector in %s', (_, era) => {
  const asked = (...args: readonly string[]): Promise<Inspection> =>
    inspect(`${stack().baseUrl}/mcp`, [
      ...['--header', `Authorization: Bearer ${token}`, '--protocol-era', era, ...args],
    ]);
  const called = (name: string, args: object): Promise<Inspection> =>
    asked('--method', 'tools/call', '--tool-name', name, '--tool-args-json', JSON.stringify(args));

  it('lists the tools, whose schemas are portable', async () => {
    const { status, json, said } = await asked('--method', 'tools/list', '--strict');
    expect([status, said]).toEqual([0, '']);
    expect((json['result'] as { tools: object[] }).tools).toHaveLength(15);
  });

  it('finds a client, and proposes a message and carries it out', async () => {
    const found = await called('search', { q: 'lovlace' });
    expect(found.json).toMatchObject({ result: { structuredContent: { results: [{ id: clientId }] } } });
    const values = { client_id: clientId, content: `from ${era}` };
    const { json } = await called('record', { resource: 'conversation_log', values });
    const { proposal_id: id } = (
      json as { result: { structuredContent: { proposal: { proposal_id: string } } } }
    ).result.structuredContent.proposal;
    const done = await called('commit', { proposal_id: id });
    expect(done.json).toMatchObject({ result: { structuredContent: { change_id: expect.any(String) } } });
    expect(await rowsOf(practice, `conversation_log?content=eq.from ${era}`)).toHaveLength(1);
  });

  it('reads the settings of the practice', async () => {
    const settings = await asked('--method', 'resources/read', '--uri', 'practice://settings');
    expect(settings.json).toMatchObject({
      result: { contents: [{ text: expect.stringContaining('assistant_limit') }] },
    });
  });
});

it('the Inspector signs a person in by OAuth with nothing but the address and the id of its app', async () => {
  const id = await appOf(practice, 'http://127.0.0.1:6276/oauth/callback');
  const { status, json } = await inspect(
    `${stack().baseUrl}/mcp`,
    [
      ...['--client-id', id, '--callback-url', 'http://127.0.0.1:0/oauth/callback'],
      ...['--method', 'tools/call', '--tool-name', 'read', '--tool-args-json', '{"resource":"clients"}'],
    ],
    async (address) => fetch(await approve(practice, address, { scope: 'clients:read', ask: 'always' })),
  );
  expect(json).toMatchObject({ result: { structuredContent: { records: [{ id: clientId }] } } });
  expect(status).toBe(0);
});
