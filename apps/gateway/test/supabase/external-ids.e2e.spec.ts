// Records from another system. They are found again by its id, so an import may be repeated.

import { beforeAll, describe, expect, it } from '@jest/globals';
import type { SupabaseClient } from '@supabase/supabase-js';
import { signedUp } from './practice.js';

let supabase: SupabaseClient;
beforeAll(async () => {
  supabase = await signedUp();
});

type Rows = Record<string, unknown>[];

const slot = (minute: number) => ({
  date: '2031-05-05',
  start_time: `09:${minute}0`,
  end_time: `09:${minute}5`,
});

const resources: readonly (readonly [string, (index: number) => object, object])[] = [
  ['clients', (index) => ({ name: `Imported ${index}` }), { name: 'Renamed' }],
  ['appointments', (index) => slot(index), { notes: 'moved over' }],
  ['service_menu', (index) => ({ name: `Service ${index}`, duration: 30, price: 50 }), { name: 'Renamed' }],
  ['expenses', (index) => ({ date: '2031-05-05', amount: index + 1 }), { vendor: 'Renamed' }],
];

const upsert = (resource: string, rows: object[]) =>
  supabase.from(resource).upsert(rows, { onConflict: 'external_id' }).select();

const external = { onConflict: 'external_id' };

describe.each(resources)('an import of %s', (resource, rowOf, change) => {
  const rows = [0, 1, 2].map((index) => ({
    ...rowOf(index),
    external_id: `old-${index}`,
    metadata: { source: 'old', tags: [index] },
  }));

  it('may be repeated: the second import changes nothing, and later imports change only differences', async () => {
    const first = await upsert(resource, rows);
    expect([first.error, first.data]).toMatchObject([
      null,
      rows.map(({ external_id, metadata }) => ({ external_id, metadata })),
    ]);
    const second = await upsert(resource, rows);
    expect(second.data).toEqual(first.data);
    const third = await upsert(resource, [{ external_id: 'old-1', ...change }]);
    expect([third.error, third.data]).toMatchObject([
      null,
      [{ ...(first.data as Rows)[1], ...change, updated_at: expect.any(String) }],
    ]);
    expect((await supabase.from(resource).select('id').like('external_id', 'old-%')).data).toHaveLength(3);
  });

  it('skips existing records if it ignores duplicates', async () => {
    const given = [
      { ...rows[0], ...change },
      { ...rows[2], external_id: 'new-1', ...rowOf(3) },
    ];
    const { data, error } = await supabase
      .from(resource)
      .upsert(given, { ...external, ignoreDuplicates: true })
      .select('external_id');
    expect([error, data]).toEqual([null, [{ external_id: 'new-1' }]]);
  });

  it('is refused as a whole if a plain insert has a known id, and the refusal names the record', async () => {
    const given = [
      { ...rowOf(4), external_id: 'fresh' },
      { ...rowOf(5), external_id: 'old-2' },
    ];
    const { status, error } = await supabase.from(resource).insert(given);
    const [known] = ((await supabase.from(resource).select('id').eq('external_id', 'old-2')).data ??
      []) as Rows;
    expect([status, error]).toMatchObject([
      409,
      {
        code: '23505',
        details: `Record at index 1: Key (external_id)=(old-2) already exists: ${resource} ${String(known?.['id'])} has it.`,
        hint: expect.stringContaining('on_conflict=external_id'),
      },
    ]);
    expect((await supabase.from(resource).select('id').eq('external_id', 'fresh')).data).toEqual([]);
  });

  it('is refused if one request has an id twice', async () => {
    const twice = [4, 5].map((index) => ({ ...rowOf(index), external_id: 'twice' }));
    const { error } = await supabase.from(resource).insert(twice);
    expect(error).toMatchObject({ code: '23505', details: expect.stringContaining('Record at index 1') });
    expect((await upsert(resource, twice)).error).toMatchObject({ code: '21000' });
  });

  it('stores one of several inserts at the same moment', async () => {
    const racing = Array.from({ length: 8 }, () =>
      supabase.from(resource).insert({ ...rowOf(4), external_id: 'race' }),
    );
    const statuses = (await Promise.all(racing)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([201, ...Array.from({ length: 7 }, () => 409)]);
  });

  it('may use the same ids in another practice', async () => {
    const other = await signedUp();
    expect((await other.from(resource).insert(rows)).error).toBeNull();
  });

  it.each([
    ['external_id', ' ', '23514', 'external_id must not be blank'],
    ['external_id', 'x'.repeat(321), '22001', 'external_id must be at most 320 characters long'],
    ['metadata', ['a list'], '22P02', 'metadata must be a JSON object'],
    ['metadata', { text: 'x'.repeat(17_000) }, '23514', 'metadata must be at most 16384 bytes of JSON'],
  ])(
    'refuses an invalid %s, and names the record, the column and the format',
    async (column, value, code, says) => {
      const given = [
        { ...rowOf(0), [column]: null },
        { ...rowOf(1), [column]: value },
      ];
      const { error } = await supabase.from(resource).insert(given);
      expect(error).toMatchObject({ code, details: expect.stringMatching(/^Record at index 1: /) });
      expect(error?.details).toContain(says);
    },
  );
});

describe('an external id', () => {
  const idOf = async (external_id: string): Promise<string> => {
    const { data } = await supabase.from('clients').select('id').eq('external_id', external_id).single();
    return String(data?.id);
  };

  it('is found in any Unicode form, as other texts are, but not in JSON', async () => {
    const decomposed = 'Zoe\u0308-1';
    const row = { name: 'Zoe\u0308', external_id: decomposed, metadata: { of: decomposed } };
    expect((await supabase.from('clients').insert(row)).error).toBeNull();
    const found = async (column: string, operator: string, value: string) =>
      (await supabase.from('clients').select('name').filter(column, operator, value)).data;
    const [zoe] = [[{ name: 'Zoë' }]];
    for (const form of [decomposed, decomposed.normalize()]) {
      expect(await found('external_id', 'eq', form)).toEqual(zoe);
      expect(await found('external_id', 'in', `(x,${form})`)).toEqual(zoe);
      expect(await found('external_id', 'like(any)', `{x,${form.slice(0, -1)}*}`)).toEqual(zoe);
      expect(await found('name', 'plfts', form.slice(0, -2))).toEqual(zoe);
    }
    expect(await found('metadata->>of', 'eq', decomposed)).toEqual(zoe);
    expect(await found('metadata->>of', 'eq', decomposed.normalize())).toEqual([]);
  });

  it('that is taken is refused in a change, until its record no longer has it', async () => {
    await supabase.from('clients').insert([
      { name: 'A', external_id: 'a' },
      { name: 'B', external_id: 'b' },
    ]);
    const [a, b] = [await idOf('a'), await idOf('b')];
    const taken = await supabase.from('clients').update({ external_id: 'a' }).eq('id', b);
    expect(taken).toMatchObject({ status: 409, error: { code: '23505' } });
    expect((await supabase.from('clients').update({ external_id: null }).eq('id', a)).error).toBeNull();
    expect((await supabase.from('clients').update({ external_id: 'a' }).eq('id', b)).error).toBeNull();
    expect(await idOf('a')).toBe(b);
  });

  it('moves from one record to another within a request', async () => {
    await supabase.from('clients').insert([{ name: 'C', external_id: 'c' }, { name: 'D' }]);
    const c = await idOf('c');
    const { data: d } = await supabase.from('clients').select('id').eq('name', 'D').single();
    const { error } = await supabase.from('clients').upsert([
      { id: c, name: 'C', external_id: null },
      { id: d?.id, name: 'D', external_id: 'c' },
    ]);
    expect([error, await idOf('c')]).toEqual([null, d?.id]);
  });

  it('that another record has taken is not restored by an undo', async () => {
    await supabase.from('clients').insert({ name: 'E', external_id: 'e' });
    await supabase.from('clients').delete().eq('external_id', 'e');
    const deletions = supabase.from('clients_history').select('change_id').eq('event', 'ClientDeleted');
    const { data } = await deletions.order('at', { ascending: false }).limit(1).single();
    await supabase.from('clients').insert({ name: 'F', external_id: 'e' });
    const { error } = await supabase.rpc('undo', { change_id: String(data?.change_id) });
    expect(error).toMatchObject({ code: '23505' });
  });
});
