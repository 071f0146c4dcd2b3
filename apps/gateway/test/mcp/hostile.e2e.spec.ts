// Hostile callers, and assistants that obey hostile texts: some records are out of reach, and some writes wait for a person.

import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { make, memberOf, newPractice, type Practice, stack, write } from '@practice/testing';
import { type Assistant, assistantWith, personalToken, type ToolAnswer } from './assistants.js';

let practice: Practice;
let token: string;
let assistant: Assistant;
let clientId: string;

const add = async (resource: string, body: object): Promise<string> =>
  (await make(practice, resource, body)).id;

/** Changes a record. Resolves to the id of the change. */
async function changed(path: string, body: object): Promise<string> {
  const { headers } = await write(practice, path, { method: 'PATCH', body });
  return headers.get('change-id') ?? '';
}

interface Proposed {
  readonly proposal_id: string;
  readonly needs_page: boolean;
}
const proposalOf = ({ data }: ToolAnswer): Proposed => data['proposal'] as unknown as Proposed;
const commit = (answer: ToolAnswer): Promise<ToolAnswer> =>
  assistant.call('commit', { proposal_id: proposalOf(answer).proposal_id });

beforeAll(async () => {
  practice = await newPractice();
  token = await personalToken(practice);
  assistant = await assistantWith(token);
  clientId = await add('clients', { name: 'Ada Lovelace' });
});

describe('an assistant with every scope', () => {
  it.each([
    ...['webhooks', 'webhook_deliveries', 'memberships', 'oauth_clients', 'oauth_grants'],
    ...['exports', 'erasures', 'security_events', 'webhooks_history', 'memberships_history'],
  ])('does not reach %s', async (resource) => {
    expect(await assistant.call('read', { resource })).toMatchObject({
      isError: true,
      data: { problem: { status: 403, code: '42501' } },
    });
    const listed = await assistant.call('describe');
    const resources = listed.data['resources'] as unknown as { name: string }[];
    expect(resources.map(({ name }) => name)).not.toContain(resource);
  });

  it('does not learn changes of these resources', async () => {
    expect(await assistant.call('what_changed', { since: '2020-01-01', resource: 'webhooks' })).toMatchObject(
      { isError: true, data: { problem: { code: '42501' } } },
    );
  });
});

describe('half of a surrogate pair', () => {
  it.each([
    ['cancel', { id: randomUUID(), reason: 'ill \ud83d' }, 'reason'],
    ['what_changed', { since: '\ud800' }, 'since'],
    ['what_changed', { since: '2030-01-01', actor: 'Ada \ud83d' }, 'actor'],
  ])('is refused by %s in %j', async (tool, args, name) => {
    const message = `${name} must be a text without half of a surrogate pair`;
    expect(await assistant.call(tool, args)).toMatchObject({
      isError: true,
      data: { problem: { status: 400, code: '22P05', quoted: { message } } },
    });
  });
});

describe('a record', () => {
  it.each([
    ['payments', [{ date: '2026-01-05', amount: 2_000, method: 'cash' }]],
    ['appointments', [{ date: '2031-04-01', start_time: '09:00', end_time: '10:00' }]],
    ['conversation_log', []],
    ['constructor', {}],
  ])('cannot contain %s, which would be written without a person', async (name, within) => {
    const values = { name: 'Nested', [name]: within };
    expect(await assistant.call('record', { resource: 'clients', values })).toMatchObject({
      isError: true,
      data: { problem: { code: 'PM400', quoted: { message: `clients has no column ${name}` } } },
    });
  });
});

describe('an undo', () => {
  it('of a setting waits for its person, because settings decide which writes need a person', async () => {
    const settings = `practice_settings?id=eq.${practice.therapistId}`;
    await changed(settings, { assistant_limit: 500 });
    const lowered = await changed(settings, { assistant_limit: 1 });
    const proposed = await assistant.call('undo', { change_id: lowered });
    expect(proposalOf(proposed).needs_page).toBe(true);
    expect(await commit(proposed)).toMatchObject({ isError: true, data: { state: 'unconfirmed' } });
    const { json } = await practice.rest(settings);
    expect(json).toMatchObject([{ assistant_limit: 1 }]);
    await changed(settings, { assistant_limit: 5 });
  });

  it('of a price waits for its person', async () => {
    const id = await add('service_menu', { name: 'Talk', duration: 50, price: 90 });
    const dearer = await changed(`service_menu?id=eq.${id}`, { price: 900 });
    expect(proposalOf(await assistant.call('undo', { change_id: dearer })).needs_page).toBe(true);
  });

  it('of a telephone number that the person has changed does not wait', async () => {
    const call = await changed(`clients?id=eq.${clientId}`, { phone: '+49 30 1234567' });
    expect(proposalOf(await assistant.call('undo', { change_id: call })).needs_page).toBe(false);
  });
});

describe('an appointment that took place', () => {
  it('waits for its person, as does its undo, because it uses a visit of a package', async () => {
    const visit = { date: '2031-03-03', start_time: '09:00', end_time: '09:50', client_id: clientId };
    const id = await add('appointments', visit);
    const done = await assistant.call('change', { id, status: 'completed' });
    expect(proposalOf(done).needs_page).toBe(true);
    const completed = await changed(`appointments?id=eq.${id}`, { status: 'completed' });
    expect(proposalOf(await assistant.call('undo', { change_id: completed })).needs_page).toBe(true);
  });
});

describe('a proposal', () => {
  const message = (content: string): Promise<ToolAnswer> =>
    assistant.call('record', { resource: 'conversation_log', values: { client_id: clientId, content } });
  const rows = async (content: string): Promise<unknown> =>
    (await practice.rest(`conversation_log?content=eq.${content}`)).json;

  it('of one member is not carried out by another member, not even an owner', async () => {
    const { member } = await memberOf(practice, 'owner');
    const other = await assistantWith(await personalToken(member));
    const { proposal_id: id } = proposalOf(await message('theirs'));
    expect(await other.call('commit', { proposal_id: id })).toMatchObject({
      isError: true,
      data: { problem: { code: 'PM404' } },
    });
    expect(await rows('theirs')).toEqual([]);
  });

  it('is carried out once by two gateways at the same time, and not again with another key', async () => {
    const second = await stack().spawnProcess('gateway');
    const elsewhere = await assistantWith(token, { origin: second.origin });
    const { proposal_id: id } = proposalOf(await message('raced'));
    const both = await Promise.all(
      [assistant, elsewhere, assistant, elsewhere].map((one) => one.call('commit', { proposal_id: id })),
    );
    const ids = both.filter(({ isError }) => !isError).map(({ data }) => data['change_id']);
    expect(ids.length).toBeGreaterThan(0);
    expect(new Set(ids).size).toBe(1);
    expect(await rows('raced')).toHaveLength(1);
    const response = await fetch(`${second.origin}/mcp`, {
      method: 'POST',
      headers: {
        ...{ authorization: `Bearer ${token}`, 'content-type': 'application/json', connection: 'close' },
        ...{ accept: 'application/json, text/event-stream', 'idempotency-key': 'another' },
      },
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: { name: 'commit', arguments: { proposal_id: id } },
      }),
    });
    expect(await response.text()).toContain('PM005');
    expect(await rows('raced')).toHaveLength(1);
    await second.stop();
  });
});

describe('a message', () => {
  const send = (values: string): Promise<Response> =>
    fetch(`${stack().baseUrl}/mcp`, {
      method: 'POST',
      headers: {
        ...{ authorization: `Bearer ${token}`, 'content-type': 'application/json', connection: 'close' },
        accept: 'application/json, text/event-stream',
      },
      body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"record","arguments":
        {"resource":"conversation_log","values":${values}}}}`,
    });

  it('that is nested deeper than any record is refused', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const response = await send(`{"metadata":${deep}}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      code: 'PM400',
      message: 'The body has more than 64 levels',
    });
  });

  it('of more than 5,000 values is refused', async () => {
    const response = await send(`{"metadata":{"a":[${Array(5_000).fill(1).join()}]}}`);
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { code: 'PM400', message: 'The body has more than 5000 values' },
    ]);
  });

  it('of more than a megabyte is refused', async () => {
    expect((await send(`{"content":"${'x'.repeat(1024 * 1024)}"}`)).status).toBe(413);
  });
});
