// The access log has a note for every request whose response depends on the note. The requests name columns in all possible places.
import { beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import {
  adminDatabase,
  answered,
  make,
  newPractice,
  rowsOf,
  type Call,
  type Practice,
} from '@practice/testing';
import fc from 'fast-check';

const admin = adminDatabase();

let practice: Practice;
let clientId: string;
/** The note whose plan changes, and another one. */
let note: string;
let other: string;

beforeAll(async () => {
  practice = await newPractice();
  clientId = (await make(practice, 'clients', { name: 'Ada' })).id;
  note = (await make(practice, 'sessions', { client_id: clientId, plan: 'Secret' })).id;
  other = (await make(practice, 'sessions', { client_id: clientId, plan: 'Sleep' })).id;
});

const value = fc.constantFrom('S', 'Se', 'Secret', '12', '1');
const operator = fc.constantFrom('eq', 'neq', 'like', 'gt', 'match', 'not.imatch', 'in', 'isdistinct', 'fts');
const test = fc
  .tuple(operator, value)
  .map(([name, text]) =>
    name === 'in' ? `in.(${text},x)` : `${name}.${name === 'like' ? `${text}*` : text}`,
  );
const about = fc.constantFrom('NOTE', 'OTHER');
const leaf = fc.oneof(
  test.map((tested) => `plan.${tested}`),
  about.map((id) => `id.eq.${id}`),
);
const tree = fc
  .tuple(fc.constantFrom('or', 'and', 'not.or', 'not.and'), fc.array(leaf, { minLength: 1, maxLength: 3 }))
  .map(([name, members]) => `${name}=(${members.join(',')})`);
const filter = fc.oneof(
  { weight: 2, arbitrary: test.map((tested) => `plan=${tested}`) },
  about.map((id) => `id=eq.${id}`),
  tree,
);
const part = (name: string, ...values: string[]) =>
  fc.option(
    fc.constantFrom(...values).map((each) => `${name}=${each}`),
    { nil: '' },
  );
const select = fc.constantFrom('id', 'plan', 'plan::int', 'count()', 'plan.max()', 'plan,count()', '*');
const preference = fc.constantFrom('count=exact', 'count=exact', 'handling=lenient');

const join = (...parts: string[]): string => parts.filter((each) => each !== '').join('&');

const read = fc
  .tuple(
    fc.constantFrom('sessions', 'clients'),
    fc.constantFrom('GET', 'HEAD'),
    select,
    fc.array(filter, { minLength: 1, maxLength: 2 }),
    fc.tuple(
      part('order', 'plan', 'plan.desc', 'created_at'),
      part('limit', '0', '1'),
      part('offset', '1', '2', '9'),
    ),
    preference,
    fc.constantFrom('application/json', 'application/vnd.pgrst.object+json', 'text/csv'),
  )
  .map(([resource, method, members, filters, page, prefer, accept]) => {
    const isEmbedded = resource === 'clients';
    const within = (text: string): string => (isEmbedded && text !== '' ? `sessions.${text}` : text);
    const selected = isEmbedded ? `name,sessions!inner(${members})` : members;
    const query = join(`select=${selected}`, ...filters.map(within), ...page.map(within));
    return { path: `${resource}?${query}`, call: { method, headers: { prefer, accept } } };
  });

const write = fc
  .tuple(
    fc.constantFrom('PATCH', 'DELETE'),
    fc.array(filter, { minLength: 1, maxLength: 2 }),
    fc.constantFrom('id', 'id,plan', 'plan::int'),
    fc.constantFrom('return=minimal', 'return=representation', 'handling=strict,max-affected=1'),
    fc.record({ plan: value }),
  )
  .map(([method, filters, members, prefer, body]) => ({
    path: `sessions?${join(...filters, `select=${members}`)}`,
    call: {
      method,
      headers: { prefer: `${prefer},tx=rollback` },
      ...(method === 'PATCH' && { body }),
    },
  }));

/** Everything that the caller learns from a request, and the notes that the log has for the request. */
async function asked({ path, call }: { path: string; call: Call }) {
  const requestId = randomUUID();
  const named = path.replaceAll('NOTE', note).replaceAll('OTHER', other);
  const headers = { ...call.headers, 'x-request-id': requestId, 'idempotency-key': randomUUID() };
  const answer = await answered(named, () => practice.rest(named, { ...call, headers }));
  const { status, text } = answer;
  const [range, tag, change] = ['content-range', 'etag', 'change-id'].map((name) => answer.headers.get(name));
  const log = `access_log?request_id=eq.${requestId}&select=record_ids`;
  const rows = await rowsOf<{ record_ids: string[] | null }>(practice, log);
  const recorded = rows.flatMap(({ record_ids: ids }) => ids ?? []);
  return { learned: { status, text, range, tag, change }, recorded };
}

/** Sets the plan as if the note had always had it: the version and the times stay the same. */
const holds = (plan: string): Promise<unknown> =>
  admin.query(
    `UPDATE clinical_notes.sessions SET plan = '${plan}', _json = jsonb_set(_json::jsonb, '{plan}', '"${plan}"')::text WHERE id = '${note}'`,
  );

it('a note is recorded for every request whose response depends on it', async () => {
  let telling = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.oneof({ weight: 3, arbitrary: read }, { weight: 1, arbitrary: write }),
      async (request) => {
        const outcomes = [];
        for (const plan of ['Secret', '12']) {
          await holds(plan);
          outcomes.push(await asked(request));
        }
        const [first, second] = outcomes.map(({ learned }) => learned);
        if (JSON.stringify(first) === JSON.stringify(second)) return;
        telling += 1;
        for (const { recorded, learned } of outcomes)
          expect([learned, recorded]).toEqual([learned, expect.arrayContaining([note])]);
      },
    ),
    { numRuns: 200 },
  );
  expect(telling).toBeGreaterThan(10);
});
