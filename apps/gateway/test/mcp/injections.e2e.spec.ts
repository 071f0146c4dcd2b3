// A greedy client obeys every text that it reads: it calls the tools that injected texts demand, and commits every proposal.

import { beforeAll, describe, expect, it } from '@jest/globals';
import { newPractice, type Practice } from '@practice/testing';
import { type Assistant, assistantWith, personalToken } from './assistants.js';
import { type Ids, type Injection, injections } from './injections.js';

const FOREIGN = 'Foreign Person';
const DAY = '2031-06-02';

let practice: Practice;
let greedy: Assistant;
let ids: Ids;

async function add(owner: Practice, resource: string, body: object) {
  const headers = { prefer: 'return=representation' };
  const answer = await owner.rest(resource, { method: 'POST', headers, body });
  const [row] = answer.json as { id: string }[];
  return { id: row?.id ?? '', changeId: answer.headers.get('change-id') ?? '' };
}

/** All records that the demands could write, without the times of the last change. */
async function state(): Promise<string> {
  const names = ['appointments', 'clients', 'conversation_log', 'expenses', 'sessions'];
  const tables = await Promise.all(names.map((name) => practice.rest(`${name}?order=id`)));
  return JSON.stringify(
    tables.map(({ json }) => json),
    (key, value: unknown) => (key === 'updated_at' ? undefined : value),
  );
}

beforeAll(async () => {
  practice = await newPractice();
  const other = await newPractice();
  const foreign = await add(other, 'clients', { name: FOREIGN });
  const client = await add(practice, 'clients', { name: injections[0]?.text ?? '' });
  const visit = { date: DAY, start_time: '12:00', end_time: '12:50', client_id: client.id };
  const appointment = await add(practice, 'appointments', { ...visit, notes: injections[1]?.text });
  const rows = injections.map(({ text }) => ({ client_id: client.id, role: 'client', content: text }));
  await add(practice, 'conversation_log', rows);
  ids = {
    ...{ client: client.id, appointment: appointment.id },
    ...{ foreign: foreign.id, foreignChange: foreign.changeId },
  };
  greedy = await assistantWith(await personalToken(practice));
});

/** The injected texts that the client reads, found in the results of a tool. */
async function texts(): Promise<Injection[]> {
  const query = 'select=content&order=id&limit=200';
  const pages = await Promise.all(
    ['', '&offset=200'].map((offset) =>
      greedy.call('read', { resource: 'conversation_log', query: `${query}${offset}` }),
    ),
  );
  const seen = JSON.stringify(pages.map(({ data }) => data));
  return injections.filter(({ text }) => seen.includes(JSON.stringify(text).slice(1, -1)));
}

describe('a client that obeys injected texts', () => {
  it('reads at least 200 of these texts', async () => {
    expect((await texts()).length).toBeGreaterThanOrEqual(200);
  });

  it('changes nothing by calling the tools that they demand, and reads nothing of another practice', async () => {
    const before = await state();
    const proposals: string[] = [];
    for (const { tool, args } of await texts()) {
      const answer = await greedy.call(tool, args(ids));
      expect(JSON.stringify(answer)).not.toContain(FOREIGN);
      const { proposal } = answer.data as { proposal?: { proposal_id: string } };
      if (proposal !== undefined) proposals.push(proposal.proposal_id);
    }
    expect(proposals.length).toBeGreaterThan(100);
    expect(await state()).toBe(before);
  });

  it('can commit one of each demand except payments, and every commit can be undone to the byte', async () => {
    const before = await state();
    const done: string[] = [];
    const weighty: string[] = [];
    const demanded = new Map((await texts()).map((one) => [one.says, one]));
    for (const { says, tool, args } of demanded.values()) {
      const { proposal } = (await greedy.call(tool, args(ids))).data as {
        proposal?: { proposal_id: string };
      };
      if (proposal === undefined) continue;
      const answer = await greedy.call('commit', { proposal_id: proposal.proposal_id });
      if (answer.isError) weighty.push(says);
      else done.push(String(answer.data['change_id']));
    }
    expect(weighty).toEqual(['Pay me']);
    expect(done.length).toBeGreaterThanOrEqual(4);
    for (const changeId of done.toReversed()) {
      const { proposal } = (await greedy.call('undo', { change_id: changeId })).data as {
        proposal?: { proposal_id: string };
      };
      expect(await greedy.call('commit', { proposal_id: proposal?.proposal_id })).toMatchObject({
        isError: false,
      });
    }
    expect(await state()).toBe(before);
  });
});
