// What supabase-js infers from `Database`. Held by the compiler, nothing here is ever sent: a wrong type fails `npm test`
// at its stage Types, and so does an error that is expected but not there.

import { createClient } from '@supabase/supabase-js';
import type { QueryData } from '@supabase/supabase-js';
import { expectTypeOf } from 'expect-type';
import type { Database, Enums, Json, Tables, TablesInsert, TablesUpdate } from './index.js';

declare const url: string;
const supabase = createClient<Database>(url, 'key');

/** A row of a query's answer. */
type RowOf<Query> = QueryData<Query> extends readonly (infer Row)[] ? Row : QueryData<Query>;

const rowsOf = <Query>(_query: Query) => expectTypeOf<RowOf<Query>>();

type Status = 'scheduled' | 'confirmed' | 'completed' | 'cancelled' | 'no_show';

// Columns: all, some, renamed, cast, inside of JSON.
rowsOf(supabase.from('appointments').select()).toEqualTypeOf<Tables<'appointments'>>();
expectTypeOf<Enums<'appointments_status'>>().toEqualTypeOf<Status>();
expectTypeOf<Tables<'conversation_log'>['metadata']>().toEqualTypeOf<Json>();
expectTypeOf<Tables<'clients'>['email']>().toEqualTypeOf<string | null>();
expectTypeOf<Tables<'expenses'>['amount']>().toEqualTypeOf<number>();

rowsOf(
  supabase.from('appointments').select('day:date, start_time, status, client_id, allow_overlap::text'),
).toEqualTypeOf<{
  day: string;
  start_time: string;
  status: Status;
  client_id: string | null;
  allow_overlap: string;
}>();

rowsOf(supabase.from('conversation_log').select('role, thread:metadata->>thread')).toEqualTypeOf<{
  role: 'client' | 'therapist' | 'assistant' | 'system';
  thread: string;
}>();

// To one: null where the column may be null, there where it may not, or where `!inner` wants it.
rowsOf(
  supabase.from('appointments').select('date, clients(name, email), service_menu!inner(price)'),
).toEqualTypeOf<{
  date: string;
  clients: { name: string; email: string | null } | null;
  service_menu: { price: number };
}>();
rowsOf(supabase.from('sessions').select('plan, clients(name)')).toEqualTypeOf<{
  plan: string | null;
  clients: { name: string };
}>();

// To many, nested, by alias, column and foreign key; counted.
rowsOf(
  supabase
    .from('clients')
    .select(
      'name, booked:appointments(date, offer:service_id(name)), sessions!sessions_client_id_fkey(plan)',
    ),
).toEqualTypeOf<{
  name: string;
  booked: { date: string; offer: { name: string } | null }[];
  sessions: { plan: string | null }[];
}>();
rowsOf(supabase.from('clients').select('name, appointments(count)')).toEqualTypeOf<{
  name: string;
  appointments: { count: number }[];
}>();

// Spread: the columns of one beside ours, those of many as lists.
rowsOf(supabase.from('sessions').select('plan, ...clients(client:name)')).toEqualTypeOf<{
  plan: string | null;
  client: string;
}>();
rowsOf(supabase.from('clients').select('name, ...appointments(date)')).toEqualTypeOf<{
  name: string;
  date: string[];
}>();

// Aggregates.
rowsOf(supabase.from('expenses').select('category, total:amount.sum(), count()')).toEqualTypeOf<{
  category: string;
  total: number;
  count: number;
}>();

// One record alone.
rowsOf(supabase.from('clients').select('name').single()).toEqualTypeOf<{ name: string }>();

// Writes: what has a default may be left out, what the server keeps may not be said.
const insert: TablesInsert<'appointments'> = { date: '2030-01-07', start_time: '09:00' };
expectTypeOf(insert.end_time).toEqualTypeOf<string | undefined>();
void supabase
  .from('appointments')
  .insert([insert, { ...insert, id: 'x', created_at: 'x', status: 'completed' }]);
void supabase.from('clients').upsert({ id: 'x', name: 'Ada' }, { onConflict: 'id' });
// A row that was read may be sent back.
declare const row: Tables<'clients'>;
void supabase.from('clients').update(row).eq('id', row.id);
void supabase.from('clients').upsert(row);
void supabase.from('clients').update({ email: null, status: 'archived' }).eq('id', 'x').maxAffected(1);
expectTypeOf<TablesUpdate<'conversation_log'>['content']>().toEqualTypeOf<undefined>();

// @ts-expect-error the name is required
void supabase.from('clients').insert({ email: 'ada@example.com' });
// @ts-expect-error no such column
void supabase.from('clients').insert({ name: 'Ada', mail: 'ada@example.com' });
// @ts-expect-error not one of the words
void supabase.from('clients').update({ status: 'asleep' });
// @ts-expect-error never null
void supabase.from('clients').update({ name: null });
// @ts-expect-error entries are written once
void supabase.from('conversation_log').update({ content: 'x' });
// @ts-expect-error no such resource
void supabase.from('client').select();
// @ts-expect-error filters know the words, too
void supabase.from('appointments').select().eq('status', 'asleep');

// A column or relation that there is not makes an error of the type of the row.
const wrongColumn = rowsOf(supabase.from('clients').select('name, mail'));
wrongColumn.not.toHaveProperty('name');
wrongColumn.not.toHaveProperty('mail');
rowsOf(supabase.from('clients').select('name, expenses(amount)')).not.toMatchTypeOf<{
  expenses: readonly unknown[];
}>();
