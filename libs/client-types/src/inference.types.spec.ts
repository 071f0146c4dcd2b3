// Types that supabase-js infers from `Database`. The compiler checks this file and nothing runs it: a wrong type, or a missing error,
// fails the Types stage of `npm test`.

import { createClient } from '@supabase/supabase-js';
import type { QueryData } from '@supabase/supabase-js';
import { expectTypeOf } from 'expect-type';
import type { Database, Enums, Json, Tables, TablesInsert, TablesUpdate } from './index.js';

declare const url: string;
const supabase = createClient<Database>(url, 'key');

/** A row of a query's result. */
type RowOf<Query> = QueryData<Query> extends readonly (infer Row)[] ? Row : QueryData<Query>;

const rowsOf = <Query>(_query: Query) => expectTypeOf<RowOf<Query>>();

type Status = 'scheduled' | 'confirmed' | 'completed' | 'cancelled' | 'no_show';

// Columns: all, some, renamed, cast, inside JSON.
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

// To-one relations: null if the column is nullable, unless `!inner` requires the record.
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

// To-many relations: nested, by alias, column and foreign key; counted.
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

// Spreads: columns of a to-one relation become columns, columns of a to-many relation become lists.
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

// A single record.
rowsOf(supabase.from('clients').select('name').single()).toEqualTypeOf<{ name: string }>();

// Writes: columns with a default are optional, and a row that was read can be sent back.
const insert: TablesInsert<'appointments'> = { date: '2030-01-07', start_time: '09:00' };
expectTypeOf(insert.end_time).toEqualTypeOf<string | null | undefined>();
expectTypeOf<Tables<'appointments'>>().toMatchTypeOf<TablesInsert<'appointments'>>();
expectTypeOf<Tables<'appointments'>>().toMatchTypeOf<TablesUpdate<'appointments'>>();
void supabase.from('appointments').update({ start_time: '14:00', end_time: null });
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
// @ts-expect-error unknown column
void supabase.from('clients').insert({ name: 'Ada', mail: 'ada@example.com' });
// @ts-expect-error not a value of the enum
void supabase.from('clients').update({ status: 'asleep' });
// @ts-expect-error the name cannot be null
void supabase.from('clients').update({ name: null });
// @ts-expect-error entries cannot be changed
void supabase.from('conversation_log').update({ content: 'x' });
// @ts-expect-error unknown resource
void supabase.from('client').select();
// @ts-expect-error filters check enum values
void supabase.from('appointments').select().eq('status', 'asleep');

// An unknown column or relation turns the row's type into an error.
const wrongColumn = rowsOf(supabase.from('clients').select('name, mail'));
wrongColumn.not.toHaveProperty('name');
wrongColumn.not.toHaveProperty('mail');
rowsOf(supabase.from('clients').select('name, expenses(amount)')).not.toMatchTypeOf<{
  expenses: readonly unknown[];
}>();
