// `npm run bench -- --dialect`: compares a batch with its operations as single requests, `rpc/search` with a list of as many rows, and
// a deep page by cursor and by offset with the first page.

import { createHash, randomUUID } from 'node:crypto';
import { call as callApi, demand, signUp, type Call, type Owner } from '@practice/start';
import { dayOf } from './calendar.js';
import { compareInTurn, type Kinds } from './in-turn.js';
import { startOwnStack, type Run } from './run.js';

const full = { clients: 50_000, depth: 100_000, rounds: 300 };
const quick = { clients: 5_000, depth: 10_000, rounds: 60 };
const WARM_UP = 30;
const ROWS_AT_ONCE = 1_000;
/** The first day with expenses. Each day has twelve. */
const BEGINS = Date.UTC(1990, 0, 1);
const OPERATIONS = 10;
/** Names at the beginning of the list are the most frequent. */
const FIRST_NAMES = [
  'Anna Ben Clara David Emma Felix Greta Jakob Hannah Leon Mia Noah Olga Paul Rosa Samuel Ursula',
  'Viktor Yasmin Mehmet Fatma Elif Piotr Agnieszka Tomasz François Hélène Jürgen Günther Björn',
  'Oliver Charlotte Thomas Christian',
].flatMap((names) => names.split(' '));
const SYLLABLES = [
  'al an bar be bo cor da dorf el er fi fran ga ge gra hel hu ing is ja jo ka ken kl la lin lo man',
  'mei mu na nor o per qui ra ri sch se son stein ta to ul ve wald wi zo',
].flatMap((syllables) => syllables.split(' '));

export async function dialect(run: Run): Promise<void> {
  const { flags, stages, signal } = run;
  const usual = flags.quick ? quick : full;
  const sizes = { ...usual, rounds: flags.rounds ?? usual.rounds };
  const { stack, admin } = await startOwnStack(run);
  const owner = await signUp(stack);
  const ask: Ask = (call, body) => demand(owner, call, body);
  const seed = async (resource: string, count: number, rowOf: (number: number) => object): Promise<void> => {
    for (let from = 0; from < count; from += ROWS_AT_ONCE) {
      signal.throwIfAborted();
      const rows = Array.from({ length: ROWS_AT_ONCE }, (_, index) => rowOf(from + index));
      await ask(`/rest/v1/${resource}`, rows);
    }
  };
  await stages.run(`Seed (${sizes.clients} clients, ${sizes.depth} expenses)`, async () => {
    await seed('clients', sizes.clients, (number) => ({ name: nameOf(number) }));
    await seed('expenses', sizes.depth + ROWS_AT_ONCE, (number) => ({
      ...expense(),
      date: dayOf(BEGINS, number / 12),
    }));
    await admin.query('VACUUM ANALYZE');
  });
  const deep = await cursorAt(owner, sizes.depth);
  const kinds = { ...kindsFor(ask), ...pagesFor(ask, { deep, depth: sizes.depth }) };
  await compareInTurn(run, kinds, { admin, sizes, warmUp: WARM_UP, bases: BASES });
}

type Ask = (call: Call | string, body?: unknown) => Promise<unknown>;

/** The kinds of request. A number makes each request different. */
function kindsFor(ask: Ask): Kinds {
  const operations = (): object[] =>
    Array.from({ length: OPERATIONS }, () => ({ path: 'expenses', body: expense() }));
  return {
    '10 single writes': async () => {
      for (const { body } of operations() as { body: object }[]) await ask('/rest/v1/expenses', body);
    },
    'rpc/batch of 10': () => ask('/rest/v1/rpc/batch', { operations: operations() }),
    'list of 20 clients': () =>
      ask({ method: 'GET', path: '/rest/v1/clients?order=created_at.desc&limit=20' }),
    'rpc/search, a misspelt name': (number) =>
      ask('/rest/v1/rpc/search', {
        ...{ q: misspelt(nameOf(number * 131)), resources: ['clients'] },
      }),
    'rpc/search in all resources': (number) =>
      ask('/rest/v1/rpc/search', { q: misspelt(nameOf(number * 137)) }),
  };
}

const PAGE = '/rest/v1/expenses?order=date.asc&limit=50';

const pagesFor = (ask: Ask, { deep, depth }: { readonly deep: string; readonly depth: number }): Kinds => ({
  'first page of 50 expenses': () => ask({ method: 'GET', path: `${PAGE}&after=` }),
  'deep page, by cursor': () => ask({ method: 'GET', path: `${PAGE}&after=${deep}` }),
  'deep page, by offset': () => ask({ method: 'GET', path: `${PAGE}&offset=${depth}` }),
});

/** The cursor after the first `depth` expenses. */
async function cursorAt(owner: Owner, depth: number): Promise<string> {
  let after = '';
  for (let read = 0; read < depth; read += ROWS_AT_ONCE) {
    const path = `/rest/v1/expenses?select=id&order=date.asc&limit=${ROWS_AT_ONCE}&after=${after}`;
    const { headers, text } = await callApi(owner, { method: 'GET', path });
    const next = /after=([^&>]+)/.exec(headers.get('link') ?? '')?.[1];
    if (next === undefined) throw new Error(`no page follows: ${text.slice(0, 200)}`);
    after = next;
  }
  return after;
}

const BASES = ['10 single writes', 'list of 20 clients', 'first page of 50 expenses'];

/** The name of a client by its number: a first name, and a family name of three syllables. */
function nameOf(number: number): string {
  const [part, ...parts] = createHash('sha256').update(String(number)).digest();
  const first = FIRST_NAMES[Math.floor(((part ?? 0) / 256) ** 2 * FIRST_NAMES.length)];
  const family = parts.slice(0, 3).map((byte) => SYLLABLES[byte % SYLLABLES.length]);
  return `${first} ${capital(family.join(''))}`;
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** The name with two letters swapped. */
const misspelt = (name: string): string => name.replace(/^(..)(.)(.)/, '$1$3$2');

const expense = (): object => ({ date: '2026-01-05', amount: 12, category: 'rent', vendor: randomUUID() });
