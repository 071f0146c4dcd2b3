// Search that tolerates misspellings: `sim`, `_rank`, `_snippet` and rpc/search.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  adminDatabase,
  call,
  eventually,
  find,
  make,
  makeAll,
  memberOf,
  newPractice,
  stack,
  type Practice,
} from '@practice/testing';
import { misspeltNames } from './testing/misspelt-names.js';

interface Found {
  readonly resource: string;
  readonly id: string;
  readonly title: string | null;
  readonly snippet: string | null;
  readonly rank: number;
}

type Caller = Pick<Practice, 'rest'>;

const similar = async (
  practice: Caller,
  [column, words]: readonly [column: string, words: string],
  more = '',
): Promise<unknown> =>
  (await practice.rest(`clients?${column}=sim.${encodeURIComponent(words)}${more}`)).json;

async function search(practice: Caller, body: object, query = ''): Promise<readonly Found[]> {
  const answer = await practice.rest(`rpc/search${query}`, { method: 'POST', body });
  expect([answer.status, answer.text.slice(0, 200)]).toEqual([200, expect.stringMatching(/^\[/)]);
  return answer.json as readonly Found[];
}

describe('a search for a misspelt name', () => {
  const isNumber = (text: string): boolean => !/\p{L}/u.test(text);

  /** The people with the right names, and many others with combinations of the same first and last names. */
  function crowd(): object[] {
    const names = misspeltNames.map(({ right }) => right).filter((right) => !isNumber(right));
    const [first, last] = [
      names.map((name) => name.replace(/ \S+$/, '')),
      names.map((name) => name.replace(/^.* /, '')),
    ];
    const others = names.flatMap((_, index) =>
      Array.from({ length: 20 }, (__, step) => ({
        name: `${first[index]} ${last[(index + step + 1) % last.length]}`,
        phone: `+49 30 ${1_000_000 + index * 7_919 + step * 104_729}`,
      })),
    );
    return [
      ...misspeltNames.map(({ right }) =>
        isNumber(right) ? { name: `Number ${right}`, phone: right } : { name: right },
      ),
      ...others,
    ];
  }

  it('finds the right person first in at least 95 of 100 cases', async () => {
    const practice = await newPractice();
    const people = crowd();
    for (let at = 0; at < people.length; at += 500) {
      const body = people.slice(at, at + 500).map((one) => ({ name: null, phone: null, ...one }));
      await makeAll(practice, 'clients', body);
    }
    const missed: string[] = [];
    for (const { right, misspelt, group } of misspeltNames) {
      const [best] = await search(practice, { q: misspelt, resources: ['clients'] }, '?limit=1');
      if (best?.title !== (isNumber(right) ? `Number ${right}` : right))
        missed.push(`${group}: ${misspelt} → ${best?.title} instead of ${right}`);
    }
    const share = `${misspeltNames.length - missed.length} of ${misspeltNames.length} right, among ${people.length}`;
    process.stdout.write(`misspelt names: ${share}\n${missed.map((line) => `  ${line}\n`).join('')}`);
    expect(misspeltNames).toHaveLength(100);
    expect(missed.length).toBeLessThanOrEqual(5);
  });
});

describe('the operator sim', () => {
  let practice: Practice;
  let other: Practice;

  beforeAll(async () => {
    [practice, other] = await Promise.all([newPractice(), newPractice()]);
    const body = [
      { name: 'Jürgen Müller', phone: '+49 176 55512345', email: null },
      { name: 'Şükrü Çağlar', phone: null, email: 'caglar@example.com' },
      { name: 'Иван Петров', phone: null, email: null },
    ];
    for (const each of [practice, other]) await each.rest('clients', { method: 'POST', body });
  });

  it.each([
    ['name', 'muller', 'Jürgen Müller'],
    ['name', 'JORGEN MUELER', 'Jürgen Müller'],
    ['name', 'sukru', 'Şükrü Çağlar'],
    ['name', 'Ivan Petrof', 'Иван Петров'],
    ['phone', '0176 5551 2345', 'Jürgen Müller'],
    ['email', 'caglar', 'Şükrü Çağlar'],
  ])('on %s finds %s', async (column, words, name) => {
    expect(await similar(practice, [column, words], '&select=name')).toEqual([{ name }]);
  });

  it('can be negated by not and by a negated or', async () => {
    const names = ['Иван Петров', 'Şükrü Çağlar'];
    const negations = ['name=not.sim.muller', 'not.or=(name.sim.muller)', 'not.and=(name.sim.muler)'];
    for (const negation of negations)
      expect([
        negation,
        (await practice.rest(`clients?${negation}&select=name&order=name.desc`)).json,
      ]).toEqual([negation, names.map((name) => ({ name }))]);
    // A null is neither similar nor not similar.
    expect((await practice.rest('clients?not.or=(phone.sim.0176 55512345)&select=name')).json).toEqual([]);
  });

  it('has a rank to select and order by, and a snippet', async () => {
    const rows = await similar(practice, ['name', 'Jurgen'], '&select=name,_rank,_snippet&order=_rank.desc');
    expect(rows).toEqual([
      { name: 'Jürgen Müller', _rank: expect.closeTo(0.84, 1), _snippet: 'Jürgen Müller' },
    ]);
    const { json } = await practice.rest(
      'clients?or=(name.sim.muller,name.sim.petrov)&select=name,_rank&order=_rank.desc,name&limit=1',
    );
    expect(json).toMatchObject([{ _rank: expect.any(Number) }]);
  });

  it('finds the same in a past state', async () => {
    const at = encodeURIComponent(new Date().toISOString());
    expect(await similar(practice, ['name', 'muler'], `&select=name&as_of=${at}`)).toEqual([
      { name: 'Jürgen Müller' },
    ]);
  });

  it('ranks full-text searches', async () => {
    const { json } = await practice.rest(
      'clients?name=plfts(simple).petrov&or=(name.plfts(simple).Петров,name.sim.x)&select=_rank',
    );
    expect(json).toEqual([]);
    const found = await practice.rest('clients?name=plfts(simple).Петров&select=_rank,_snippet');
    expect(found.json).toEqual([{ _rank: expect.any(Number), _snippet: 'Иван Петров' }]);
  });

  it('has no rank without a search', async () => {
    const answer = await practice.rest('clients?select=_rank');
    expect([answer.status, answer.json]).toMatchObject([
      400,
      { code: '42703', hint: expect.stringContaining('sim') },
    ]);
    expect((await practice.rest('clients?name=not.sim.x&order=_rank')).status).toBe(400);
  });

  it('reads the words as text, whatever they contain', async () => {
    for (const words of ["' OR 1=1 --", '\\', '"', '%', '$1', 'x'.repeat(200), '日本', '…'])
      expect([words, await similar(practice, ['name', words], '&select=name')]).toEqual([words, []]);
    expect((await practice.rest(`clients?name=sim.${'x'.repeat(201)}`)).status).toBe(400);
  });

  it('can only search texts', async () => {
    expect(await similar(practice, ['created_at', 'x'])).toMatchObject({ code: '42883' });
  });
});

describe('rpc/search', () => {
  let practice: Practice;

  beforeAll(async () => {
    practice = await newPractice();
    const client = await make(practice, 'clients', { name: 'Grzegorz Wąs', email: 'was@example.com' });
    await make(practice, 'conversation_log', {
      client_id: client.id,
      content: 'Grzegorz called about the invoice',
    });
    await make(practice, 'service_menu', { name: 'Group chant', duration: 50, price: 1 });
    await make(practice, 'expenses', { date: '2026-01-01', amount: 5, vendor: 'Grzegorz & Co' });
    await make(practice, 'sessions', {
      client_id: client.id,
      subjective: 'Grzegorz slept badly',
      plan: 'tea',
    });
  });

  it('finds records of several services in one answer, the best first', async () => {
    const found = await search(practice, { q: 'gregorz was' });
    expect(found[0]).toMatchObject({ resource: 'clients', title: 'Grzegorz Wąs' });
    expect(new Set(found.map(({ resource }) => resource))).toEqual(
      new Set(['clients', 'conversation_log', 'expenses']),
    );
    const ranks = found.map(({ rank }) => rank);
    expect(ranks).toEqual(ranks.toSorted((a, b) => b - a));
    expect(await search(practice, { q: 'gregorz' }, '?select=count()')).toEqual([{ count: found.length }]);
  });

  it('searches only the named resources', async () => {
    expect(await search(practice, { q: 'gregorz', resources: ['expenses'] })).toMatchObject([
      { resource: 'expenses', title: 'Grzegorz & Co', snippet: 'Grzegorz & Co' },
    ]);
    for (const resources of [['users'], [], ['private_notes'], 'x'])
      expect(
        (await practice.rest('rpc/search', { method: 'POST', body: { q: 'x', resources } })).status,
      ).toBe(400);
  });

  it('searches notes by whole words if they are named, and records the search', async () => {
    const resources = ['sessions', 'session_addenda'];
    expect(await search(practice, { q: 'slep', resources })).toEqual([]);
    const found = await search(practice, { q: 'SLEPT', resources });
    expect(found).toMatchObject([{ resource: 'sessions', snippet: 'Grzegorz slept badly' }]);
    const log = await practice.rest('access_log?resource=eq.sessions&method=eq.POST&select=record_ids,count');
    expect(log.json).toContainEqual({ record_ids: [found[0]?.id], count: 1 });
  });

  it('shows each role only records and columns that it reads', async () => {
    const frontDesk = (await memberOf(practice, 'front_desk')).member;
    const billing = (await memberOf(practice, 'billing')).member;
    const resourcesFor = async (caller: Caller, q: string): Promise<string[]> =>
      [...new Set((await search(caller, { q })).map(({ resource }) => resource))].sort();
    expect(await resourcesFor(frontDesk, 'gregorz')).toEqual(['clients', 'conversation_log']);
    expect(await resourcesFor(billing, 'gregorz')).toEqual(['clients', 'expenses']);
    // Billing does not see addresses, so it cannot search by address.
    expect(await resourcesFor(billing, 'was@example.com')).not.toContain('clients_email');
    expect(await search(billing, { q: 'was@example.com', resources: ['clients'] })).toEqual([]);
    for (const role of [frontDesk, billing]) {
      const body = { q: 'slept', resources: ['sessions'] };
      expect((await role.rest('rpc/search', { method: 'POST', body })).status).toBe(403);
    }
  });

  it('shows a token only records that its scopes permit', async () => {
    const scoped = async (scopes: readonly string[]): Promise<Caller> => {
      const made = await call('/auth/v1/tokens', {
        method: 'POST',
        headers: { authorization: `Bearer ${practice.token}` },
        body: { name: randomUUID(), scopes, expires_in: 3600 },
      });
      const { token } = made.json as { token: string };
      const authorization = `Bearer ${token}`;
      return {
        rest: (path, given = {}) => call(`/rest/v1/${path}`, { ...given, headers: { authorization } }),
      };
    };
    const narrow = await scoped(['rpc:search', 'expenses:read']);
    expect((await search(narrow, { q: 'gregorz' })).map(({ resource }) => resource)).toEqual(['expenses']);
    const body = { q: 'slept', resources: ['sessions'] };
    expect((await narrow.rest('rpc/search', { method: 'POST', body })).status).toBe(403);
    const wide = await scoped(['rpc:search', 'sessions:read']);
    expect(await search(wide, body)).toHaveLength(1);
  });

  it('finds nothing of another practice', async () => {
    const stranger = await newPractice();
    expect(await search(stranger, { q: 'Grzegorz Wąs' })).toEqual([]);
  });
});

describe('the index of an erased person', () => {
  const admin = adminDatabase();

  /** Whether the file of the table, or of its search index, contains a text. */
  async function filesOf(relation: string, text: string): Promise<boolean> {
    await admin.query('CHECKPOINT');
    const { rows } = await admin.query<{ path: string }>(
      `SELECT pg_relation_filepath('clients.${relation}') AS path`,
    );
    const path = join(stack().dataDir, 'postgres', rows[0]?.path ?? '');
    return readFileSync(path).includes(text);
  }

  it('has no entry and no text of the person', async () => {
    const practice = await newPractice();
    const text = randomUUID().replaceAll('-', '');
    const { id } = await make(practice, 'clients', { name: `Erasmus ${text}` });
    expect(await search(practice, { q: text })).toMatchObject([{ id }]);
    expect(await filesOf('clients', text)).toBe(true);
    const answer = await practice.rest('rpc/erase_client', { method: 'POST', body: { client_id: id } });
    const erasure = answer.json as { id: string };
    await eventually(
      'the client is erased',
      async () => (await find(practice, 'erasures', erasure.id))?.['status'] === 'done',
    );
    expect(await search(practice, { q: text })).toEqual([]);
    // VACUUM leaves the rows that a transaction of another spec may still see.
    await eventually('the index has no text of the person', async () => {
      await admin.query('VACUUM clients.clients');
      return !(await filesOf('clients_search_idx', text));
    });
    // Through the index, the superuser finds rows that row-level security hides from others.
    await admin.query(`SET enable_seqscan = off; SET pg_trgm.word_similarity_threshold = 0.4`);
    const { rows } = await admin.query(
      `SELECT id FROM clients.clients WHERE therapist_id = $1 AND $2 OPERATOR(extensions.<%) clients.search_text(name)`,
      [practice.therapistId, text],
    );
    expect(rows).toEqual([]);
  });
});
