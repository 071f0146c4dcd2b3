// The types that supabase-js infers from `Database`. This file is only compiled, not run: a wrong type or a missing error fails the
// Types stage of `npm test`.

import { createClient, type QueryData } from '@supabase/supabase-js';
import { expectTypeOf } from 'expect-type';
import type { answerHeaders, Database, Enums, Json, Tables, TablesInsert, TablesUpdate } from './index.js';

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

// The version of a record, and of related records: only if a read names it. Also in filters and in the order.
rowsOf(supabase.from('clients').select('*, version')).toEqualTypeOf<
  Omit<Database['public']['Tables']['clients']['Row'], '_rank' | '_snippet'>
>();
expectTypeOf<Database['public']['Tables']['clients']['Row']['version']>().toEqualTypeOf<number>();
rowsOf(supabase.from('appointments').select('id, version')).toEqualTypeOf<{ id: string; version: number }>();
rowsOf(supabase.from('clients').select()).not.toHaveProperty('version');
expectTypeOf<Tables<'clients'>>().not.toHaveProperty('version');
rowsOf(supabase.from('appointments').select('seen:version, clients(name, version)')).toEqualTypeOf<{
  seen: number;
  clients: { name: string; version: number } | null;
}>();
rowsOf(supabase.from('clients').select('name, appointments(*)')).toEqualTypeOf<{
  name: string;
  appointments: Tables<'appointments'>[];
}>();
void supabase.from('appointments').select('id').gte('version', 2).order('version');
// @ts-expect-error the server numbers versions
void supabase.from('clients').update({ version: 2 });
// @ts-expect-error the server numbers versions
void supabase.from('clients').insert({ name: 'Ada', version: 1 });

// The rank and the snippet of a search: also only if a read names them.
rowsOf(
  supabase.from('clients').select('name, _rank, _snippet').filter('name', 'sim', 'meier').order('_rank'),
).toEqualTypeOf<{ name: string; _rank: number; _snippet: string | null }>();
expectTypeOf<Tables<'clients'>>().not.toHaveProperty('_rank');

// Records nested in records.
void supabase
  .from('clients')
  .insert([{ name: 'Ada', appointments: [{ date: '2030-01-07', notes: 'first' }] }]);
// @ts-expect-error a date is a text
void supabase.from('clients').insert({ name: 'Ada', appointments: [{ date: 1 }] });

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

// To-many relations: nested, by alias, by column and by foreign key, and counted.
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
// A row that was read can be sent back.
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

// Functions: their arguments and results.
rowsOf(supabase.rpc('open_sessions').select('id, is_current')).toEqualTypeOf<{
  id: string;
  is_current: boolean;
}>();
rowsOf(supabase.rpc('current_identity').select('role, session_id')).toEqualTypeOf<{
  role: 'owner' | 'therapist' | 'front_desk' | 'billing' | 'read_only';
  session_id: string | null;
}>();
void supabase.rpc('end_session', { session_id: 'x' });
// @ts-expect-error a required argument is missing
void supabase.rpc('end_session', {});
rowsOf(supabase.rpc('undo', { change_id: 'scheduling:1042' }).select('id, event, after')).toEqualTypeOf<{
  id: string | null;
  event: string | null;
  after: Json | null;
}>();
void supabase.rpc('undo', { change_ids: ['scheduling:1042'], force: true });
void supabase.rpc('undo', { actor_name: 'Robot', since: '2030-01-01' });
rowsOf(supabase.rpc('erase_client', { client_id: 'x', reason: 'asked' }).select('id, status')).toEqualTypeOf<{
  id: string;
  status: 'running' | 'done';
}>();
rowsOf(supabase.from('erasures').select('status, certificate, completed_at')).toEqualTypeOf<{
  status: 'running' | 'done';
  certificate: string | null;
  completed_at: string | null;
}>();
// @ts-expect-error the client is missing
void supabase.rpc('erase_client', { reason: 'asked' });
// @ts-expect-error one id is a text
void supabase.rpc('undo', { change_id: 1042 });
// @ts-expect-error the function does not exist
void supabase.rpc('end_sessions');

// The history of a record: read on its own, or embedded in both directions. It cannot be written.
rowsOf(supabase.from('appointments_history').select('at, event, actor_name, before')).toEqualTypeOf<{
  at: string;
  event: string;
  actor_name: string | null;
  before: Json | null;
}>();
rowsOf(supabase.from('appointments').select('id, appointments_history(version)')).toEqualTypeOf<{
  id: string;
  appointments_history: { version: number }[];
}>();
rowsOf(supabase.from('clients_history').select('version, clients(name)')).toEqualTypeOf<{
  version: number;
  clients: { name: string };
}>();
// @ts-expect-error -- a history is read-only
void supabase.from('appointments_history').insert({});

// The headers of a response together with its result.
declare const headers: ReturnType<typeof answerHeaders>;
const renamed = headers.of(
  supabase.from('clients').update({ name: 'Ada' }).eq('id', url).select('name').single(),
);
expectTypeOf<Awaited<typeof renamed>['changeId']>().toEqualTypeOf<string | null>();
expectTypeOf<Awaited<typeof renamed>['data']>().toEqualTypeOf<{ name: string } | null>();
