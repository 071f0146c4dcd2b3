// How an assistant asks its person: when the grant requires it, by a link to the page, and for exactly the proposed write.

import { beforeAll, describe, expect, it } from '@jest/globals';
import { make, newPractice, type Practice, stack } from '@practice/testing';
import { assistantWith, grantedToken, personalToken, type ToolAnswer } from './assistants.js';
import { confirmed, visit } from './pages.js';

const SCOPE = 'expenses:read expenses:write';
const expense = { resource: 'expenses', values: { date: '2031-03-03', amount: '12.50' } };

let practice: Practice;
let token: string;
let clientId: string;
beforeAll(async () => {
  practice = await newPractice();
  token = await personalToken(practice);
  clientId = (await make(practice, 'clients', { name: 'Ada Lovelace' })).id;
});

const proposalOf = ({ data }: ToolAnswer) =>
  data['proposal'] as unknown as { proposal_id: string; needs_page: boolean };

const rowsOf = async (path: string): Promise<unknown[]> => (await practice.rest(path)).json as unknown[];

describe('an app', () => {
  it('that never asks writes an expense without the page', async () => {
    const { call } = await assistantWith(await grantedToken(practice, { scope: SCOPE, ask: 'never' }));
    const { proposal_id: id, needs_page: needsPage } = proposalOf(await call('record', expense));
    expect(needsPage).toBe(false);
    expect(await call('commit', { proposal_id: id })).toMatchObject({ isError: false });
  });

  it('that asks above the limit undoes its own creation without the page', async () => {
    const scope = 'conversation_log:read conversation_log:write';
    const { call } = await assistantWith(await grantedToken(practice, { scope, ask: 'above' }));
    const values = { client_id: clientId, content: 'own' };
    const proposed = proposalOf(await call('record', { resource: 'conversation_log', values }));
    const { data } = await call('commit', { proposal_id: proposed.proposal_id });
    expect(proposalOf(await call('undo', { change_id: data['change_id'] })).needs_page).toBe(false);
    const other = await assistantWith(await grantedToken(practice, { scope, ask: 'above' }));
    expect(proposalOf(await other.call('undo', { change_id: data['change_id'] })).needs_page).toBe(true);
  });

  it('that always asks needs the page even for the smallest write and for its undo', async () => {
    const scope = 'conversation_log:read conversation_log:write';
    const { call } = await assistantWith(await grantedToken(practice, { scope, ask: 'always' }));
    const values = { client_id: clientId, content: 'called' };
    const proposed = proposalOf(await call('record', { resource: 'conversation_log', values }));
    expect(proposed.needs_page).toBe(true);
    const early = await call('commit', { proposal_id: proposed.proposal_id });
    expect(early).toMatchObject({ isError: true, data: { state: 'unconfirmed' } });
    expect(await rowsOf('conversation_log?content=eq.called')).toEqual([]);
    await confirmed(practice, proposed.proposal_id, 'confirm');
    const done = await call('commit', { proposal_id: proposed.proposal_id });
    expect(done).toMatchObject({ isError: false });
    const undone = proposalOf(await call('undo', { change_id: done.data['change_id'] }));
    expect(undone.needs_page).toBe(true);
  });
});

it('a proposal is confirmed in a session only, not with another token of the person', async () => {
  const { call } = await assistantWith(token);
  const { proposal_id: id } = proposalOf(await call('record', expense));
  const scoped = await personalToken(practice, ['appointments:read']);
  for (const other of [token, scoped]) {
    const page = await visit('proposal', `__Host-practice-access=${other}`, { id, action: 'confirm' });
    expect(await page.text()).toContain('Sign in');
  }
  const early = await call('commit', { proposal_id: id });
  expect(early).toMatchObject({ isError: true, data: { state: 'unconfirmed' } });
});

describe('a link to the page', () => {
  it.each([
    ['confirms there', 'confirm', { isError: false, data: { change_id: expect.any(String) } }],
    ['answers without a visit', undefined, { isError: true, data: { state: 'unconfirmed' } }],
    ['declines there', 'decline', { isError: true, data: { state: 'declined' } }],
  ] as const)('is shown to a person, who %s', async (_, answer, result) => {
    const { client, call } = await assistantWith(token, { capabilities: { elicitation: { url: {} } } });
    const links: unknown[] = [];
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      const { mode, url = '', message } = params as { mode?: string; url?: string; message: string };
      links.push([mode, url.split('?')[0], message.includes('12.5')]);
      const id = new URL(url).searchParams.get('id') ?? '';
      if (answer !== undefined) await confirmed(practice, id, answer);
      return { action: 'accept' };
    });
    expect(await call('record', expense)).toMatchObject(result);
    expect(links).toEqual([['url', `${stack().baseUrl}/oauth/proposal`, true]]);
  });
});

describe('the state of a proposal', () => {
  const content = 'state';
  const note = { resource: 'conversation_log', values: { content } };
  const withForms = { elicitation: { form: {} } };

  /** Sends a message of revision 2026-07-28 that is changed by hand. */
  async function raw(name: string, args: object, more: object = {}): Promise<Record<string, unknown>> {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'spec', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': withForms,
    };
    const params = { name, arguments: args, _meta, ...more };
    const response = await fetch(`${stack().baseUrl}/mcp`, {
      method: 'POST',
      headers: {
        ...{ authorization: `Bearer ${token}`, 'content-type': 'application/json', connection: 'close' },
        ...{ accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2026-07-28' },
        ...{ 'mcp-method': 'tools/call', 'mcp-name': name },
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
    return ((await response.json()) as { result: Record<string, unknown> }).result;
  }

  const yes = { confirm: { action: 'accept', content: { confirm: true } } };

  it.each([
    ['other arguments', 'record', { ...note, values: { content: 'other' } }, '42501'],
    [
      'another tool',
      'undo',
      { change_id: `scheduling:${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}` },
      '42501',
    ],
  ])('with %s is refused, and nothing is written', async (_, name, args, code) => {
    const withClient = (given: typeof note) => ({
      ...given,
      values: { ...given.values, client_id: clientId },
    });
    const asked = await raw('record', withClient(note));
    expect(asked).toMatchObject({ resultType: 'input_required', requestState: expect.any(String) });
    const { requestState } = asked;
    const changed = name === 'record' ? withClient(args as typeof note) : args;
    const refused = await raw(name, changed, { requestState, inputResponses: yes });
    expect(refused).toMatchObject({ isError: true, structuredContent: { problem: { code } } });
    expect(await rowsOf(`conversation_log?content=in.(state,other)`)).toEqual([]);
  });

  it.each(['no-such-state', '', '"'])('that is unknown is refused: %j', async (requestState) => {
    const refused = await raw('record', note, { requestState, inputResponses: yes });
    expect(refused).toMatchObject({ isError: true, structuredContent: { problem: { code: 'PM404' } } });
  });
});
