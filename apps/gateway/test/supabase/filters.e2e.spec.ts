// Every filter and modifier of postgrest-js, as its methods send them.

import { beforeAll, describe, expect, it } from '@jest/globals';
import type { SupabaseClient } from '@supabase/supabase-js';
import { addRecords, ANN, BOB, CY, signedUp } from './practice.js';

let supabase: SupabaseClient;
beforeAll(async () => {
  supabase = await signedUp();
  await addRecords(supabase);
});

const clients = () => supabase.from('clients').select('name');
const visits = () => supabase.from('appointments').select('date');
const log = () => supabase.from('conversation_log').select('content');
type Query = PromiseLike<{ data: unknown; error: unknown }>;

const [Ann, Bob, Cy] = ['Ann Lee', 'Bob "B", (jr.)', 'Cy'];

describe('a filter', () => {
  it.each<[string, () => Query, readonly string[]]>([
    ['eq', () => clients().eq('name', Bob), [Bob]],
    ['eq with what looks like syntax', () => clients().eq('name', 'eq.(x),"y"'), []],
    ['neq', () => clients().neq('total_visits', 3), [Bob, Cy]],
    ['gt', () => clients().gt('total_visits', 7), [Cy]],
    ['gte', () => clients().gte('total_visits', 7), [Bob, Cy]],
    ['lt', () => clients().lt('total_visits', 7), [Ann]],
    ['lte', () => clients().lte('total_visits', 7), [Ann, Bob]],
    ['like', () => clients().like('name', '%n%'), [Ann]],
    ['ilike', () => clients().ilike('name', '%B%'), [Bob]],
    ['likeAllOf', () => clients().likeAllOf('name', ['%n%', 'A%']), [Ann]],
    ['likeAnyOf', () => clients().likeAnyOf('name', ['C%', 'A%']), [Ann, Cy]],
    ['ilikeAllOf', () => clients().ilikeAllOf('name', ['%B%', '%jr%']), [Bob]],
    ['ilikeAnyOf', () => clients().ilikeAnyOf('name', ['c%', 'a%']), [Ann, Cy]],
    ['regexMatch', () => clients().regexMatch('name', '^A.*e$'), [Ann]],
    ['regexIMatch', () => clients().regexIMatch('name', '^c'), [Cy]],
    ['is null', () => clients().is('phone', null), [Ann]],
    ['isDistinct', () => clients().isDistinct('phone', '5'), [Ann, Bob]],
    ['in', () => clients().in('name', [Cy, 'a,b', 'nobody']), [Cy]],
    ['in nothing', () => clients().in('name', []), []],
    ['notIn', () => clients().notIn('total_visits', [3, 7]), [Cy]],
    ['match', () => clients().match({ status: 'active', total_visits: 3 }), [Ann]],
    ['not', () => clients().not('phone', 'is', null), [Bob, Cy]],
    ['not in', () => clients().not('total_visits', 'in', '(3,10)'), [Bob]],
    ['or', () => clients().or('total_visits.eq.3,and(phone.eq.5,status.eq.active)'), [Ann, Cy]],
    ['or with quotes', () => clients().or(`name.eq."Bob \\"B\\", (jr.)",phone.eq.5`), [Bob, Cy]],
    ['filter', () => clients().filter('total_visits', 'gt', 3).filter('phone', 'not.eq', '5'), [Bob]],
  ])('%s', async (_what, query, expected) => {
    const { data, error } = await query();
    expect({ error, names: (data as { name: string }[] | null)?.map(({ name }) => name) }).toEqual({
      error: null,
      names: expected,
    });
  });

  it.each<[string, () => Query, readonly string[]]>([
    ['contains', () => log().contains('metadata', { thread: 1 }), ['hello']],
    ['contains in an array', () => log().contains('metadata', { tags: ['b'] }), ['hello']],
    ['containedBy', () => log().containedBy('metadata', { thread: 2, more: true }), ['again', 'third']],
    ['a path', () => log().eq('metadata->by->>who', 'x'), ['hello']],
    ['an index', () => log().eq('metadata->tags->>0', 'a'), ['hello']],
    ['a path that is compared', () => log().gt('metadata->thread', 1), ['again']],
    ['a path that is null', () => log().is('metadata->thread', null), ['third']],
    ['textSearch', () => log().textSearch('content', 'hello'), ['hello']],
    ['textSearch in all its texts', () => log().textSearch('metadata', 'x', { config: 'simple' }), ['hello']],
    ['textSearch behind a path', () => log().textSearch('metadata->tags', 'b'), ['hello']],
  ])('%s', async (_what, query, expected) => {
    const { data, error } = await query();
    expect({ error, found: (data as { content: string }[] | null)?.map(({ content }) => content) }).toEqual({
      error: null,
      found: expected,
    });
  });

  it.each<[string, () => Query]>([
    ['plain', () => visits().textSearch('notes', 'fat cats', { type: 'plain', config: 'english' })],
    ['phrase', () => visits().textSearch('notes', 'fat cat', { type: 'phrase' })],
    ['websearch', () => visits().textSearch('notes', '"fat cat" or nothing', { type: 'websearch' })],
    ['tsquery', () => visits().textSearch('notes', 'fat & !dog', { config: 'english' })],
  ])('textSearch, %s', async (_what, query) => {
    expect(await query()).toMatchObject({ error: null, data: [{ date: '2026-01-05' }] });
  });

  it.each<[string, () => Query]>([
    ['overlaps', () => clients().overlaps('name', ['a'])],
    ['rangeGt', () => visits().rangeGt('date', '[2026-01-01,2026-02-01)')],
    ['rangeGte', () => visits().rangeGte('date', '[2026-01-01,2026-02-01)')],
    ['rangeLt', () => visits().rangeLt('date', '[2026-01-01,2026-02-01)')],
    ['rangeLte', () => visits().rangeLte('date', '[2026-01-01,2026-02-01)')],
    ['rangeAdjacent', () => visits().rangeAdjacent('date', '[2026-01-01,2026-02-01)')],
  ])('%s has no column of its kind', async (_what, query) => {
    expect(await query()).toMatchObject({ status: 404, error: { code: '42883' } });
  });

  it.each<[string, () => Query, string]>([
    ['a malformed value', () => clients().eq('id', 'x'), '22P02'],
    ['the text null', () => clients().eq('total_visits', null as never), '22P02'],
    ['an unknown column', () => clients().eq('nam', 'x'), '42703'],
    ['a broken tree', () => clients().or('name.eq'), 'PGRST100'],
    ['an unknown operator', () => clients().filter('name', 'equals', 'x'), 'PGRST100'],
  ])('is refused for %s', async (_what, query, code) => {
    expect(await query()).toMatchObject({ data: null, status: 400, error: { code } });
  });
});

describe('a modifier', () => {
  const names = async (query: Query): Promise<unknown> =>
    ((await query).data as { name: string }[]).map(({ name }) => name);

  it('order, with nulls first or last', async () => {
    expect(await names(clients().order('phone').order('name'))).toEqual([Bob, Cy, Ann]);
    expect(await names(clients().order('phone', { ascending: false }))).toEqual([Ann, Cy, Bob]);
    expect(await names(clients().order('phone', { nullsFirst: true }))).toEqual([Ann, Bob, Cy]);
    expect(await names(clients().order('phone', { ascending: false, nullsFirst: false }))).toEqual([
      Cy,
      Bob,
      Ann,
    ]);
  });

  it('limits with limit and range', async () => {
    expect(await names(clients().limit(2))).toEqual([Ann, Bob]);
    expect(await names(clients().range(1, 1))).toEqual([Bob]);
    expect(await names(clients().range(3, 5))).toEqual([]);
  });

  it('counts, even without rows', async () => {
    const some = await supabase.from('clients').select('name', { count: 'exact' }).range(0, 1);
    expect(some).toMatchObject({ status: 206, count: 3, data: [{ name: Ann }, { name: Bob }] });
    const none = await supabase.from('clients').select('*', { count: 'exact', head: true });
    expect(none).toMatchObject({ status: 200, count: 3, data: null, error: null });
    for (const count of ['planned', 'estimated'] as const)
      expect((await supabase.from('clients').select('*', { count }).limit(1)).count).toBe(3);
    const past = await supabase.from('clients').select('*', { count: 'exact' }).range(9, 10);
    expect(past).toMatchObject({ status: 416, error: { code: 'PGRST103' } });
  });

  it('single and maybeSingle', async () => {
    expect(await clients().eq('id', ANN).single()).toMatchObject({ data: { name: Ann }, error: null });
    expect(await clients().single()).toMatchObject({
      status: 406,
      error: { code: 'PGRST116', details: 'The result contains 3 rows' },
    });
    expect(await clients().eq('name', 'nobody').maybeSingle()).toMatchObject({ data: null, error: null });
    expect(await clients().eq('id', BOB).maybeSingle()).toMatchObject({ data: { name: Bob } });
    expect(await clients().maybeSingle()).toMatchObject({ status: 406, error: { code: 'PGRST116' } });
  });

  it('csv', async () => {
    const query = supabase.from('clients').select('name,phone,total_visits');
    const rows = ['name,phone,total_visits', '"Ann Lee",,3', '"Bob ""B"", (jr.)",123,7', 'Cy,5,10'];
    expect(await query.csv()).toMatchObject({ error: null, data: rows.join('\n') });
  });

  it('stripNulls', async () => {
    const { data } = await supabase.from('clients').select('name,phone').stripNulls();
    expect(data).toEqual([{ name: Ann }, { name: Bob, phone: '123' }, { name: Cy, phone: '5' }]);
    const one = supabase.from('clients').select('name,phone').eq('id', ANN).stripNulls().single();
    expect((await one).data).toEqual({ name: Ann });
  });

  it('throwOnError, abortSignal, overrideTypes, setHeader and retry', async () => {
    await expect(supabase.from('nothing').select().throwOnError()).rejects.toMatchObject({
      code: 'PGRST205',
    });
    const gone = await clients().abortSignal(AbortSignal.abort());
    expect(gone.error).not.toBeNull();
    const typed = await clients().eq('id', CY).overrideTypes<{ name: string }[]>().retry(false);
    expect(typed.data?.[0]?.name).toBe(Cy);
    const zoned = supabase
      .from('clients')
      .select('created_at')
      .eq('id', CY)
      .setHeader('Prefer', 'timezone=Asia/Tokyo');
    expect((await zoned).data?.[0]?.created_at).toMatch(/\+09:00$/);
  });

  it('explain and geojson, which are not supported', async () => {
    for (const query of [clients().explain(), clients().geojson()])
      expect(await query).toMatchObject({ status: 406, error: { code: 'PGRST107' } });
  });

  it('schema', async () => {
    expect(await supabase.schema('public').from('clients').select('name').limit(1)).toMatchObject({
      error: null,
    });
  });

  it.each<[string, (schema: ReturnType<typeof supabase.schema>) => PromiseLike<unknown>]>([
    ['select', (schema) => schema.from('clients').select()],
    ['insert', (schema) => schema.from('clients').insert({ name: 'Dee' })],
    ['update', (schema) => schema.from('clients').update({ name: 'Dee' }).eq('id', CY)],
    ['upsert', (schema) => schema.from('clients').upsert({ id: CY, name: 'Dee' })],
    ['delete', (schema) => schema.from('clients').delete().eq('id', CY)],
    ['a select from an unknown table', (schema) => schema.from('nothing').select()],
    ['rpc', (schema) => schema.rpc('total', { a: 1 })],
    ['rpc with GET', (schema) => schema.rpc('total', { a: 1 }, { get: true })],
  ])('a schema other than public: %s', async (_call, query) => {
    expect(await query(supabase.schema('private'))).toMatchObject({
      status: 406,
      error: { code: 'PGRST106', message: 'Invalid schema: private' },
    });
  });

  it('a schema other than public: HEAD, whose response has no body', async () => {
    const head = { head: true };
    expect(await supabase.schema('private').from('clients').select('*', head)).toMatchObject({ status: 406 });
    expect(await supabase.schema('private').rpc('total', {}, head)).toMatchObject({ status: 406 });
  });
});

describe('features that are not offered', () => {
  it('functions', async () => {
    const message = 'Could not find the function public.total(a, b) in the schema cache';
    const called = [
      supabase.rpc('total', { b: 1, a: 2 }),
      supabase.rpc('total', { b: 1, a: [2] }, { get: true }),
    ];
    for (const call of called)
      expect(await call).toMatchObject({
        status: 404,
        error: { code: 'PGRST202', message },
      });
  });

  it('storage and edge functions', async () => {
    const { error: stored } = await supabase.storage.from('notes').download('a.pdf');
    expect(stored).not.toBeNull();
    expect(await supabase.storage.listBuckets()).toMatchObject({
      data: null,
      error: { message: 'Storage is not offered by this API' },
    });
    const { error } = await supabase.functions.invoke('send');
    const context = (error as { context: Response }).context;
    expect(await context.json()).toMatchObject({
      code: 'PM011',
      message: 'Edge functions are not offered by this API',
    });
  });

  it('an unknown resource, with a hint of the nearest one', async () => {
    expect(await supabase.from('client').select()).toMatchObject({
      status: 404,
      error: { code: 'PGRST205', hint: "Perhaps you meant the table 'public.clients'" },
    });
  });
});
