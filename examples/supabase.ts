// A practice's first day with supabase-js, as in the platform's UI. Needs a running system (npm start).
//   node examples/supabase.ts            with Node 22.18 or newer, which runs TypeScript
//   NODE_OPTIONS=--experimental-websocket npx tsx examples/supabase.ts      with Node 20
// The URL and the key of the API come from BASE_URL and API_KEY, or from run.json in DATA_DIR (.data).
import { createClient } from '@supabase/supabase-js';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Run {
  readonly base_url: string;
  readonly apikey: string;
}

interface Booking {
  readonly id: string;
  readonly start_time: string;
  readonly end_time: string;
  readonly status: string;
  readonly client_name: string | null;
  readonly service_menu: { readonly name: string; readonly price: number } | null;
}

const { BASE_URL, API_KEY, DATA_DIR = '.data' } = process.env;
const run = (): Run => JSON.parse(readFileSync(join(DATA_DIR, 'run.json'), 'utf8')) as Run;
const supabase = createClient(BASE_URL ?? run().base_url, API_KEY ?? run().apikey);

const signedUp = await supabase.auth.signUp({
  email: `supabase-${randomUUID()}@example.com`,
  password: 'a long pass phrase',
});
if (signedUp.error) throw signedUp.error;
console.log('signed up as', signedUp.data.user?.email?.replace(/-.*@/, '-…@'));

const { data: service } = await supabase
  .from('service_menu')
  .insert({ name: 'Individual therapy', duration: 50, price: 110 })
  .select('id')
  .single()
  .throwOnError();
const { data: client } = await supabase
  .from('clients')
  .insert({ name: 'Ada Lovelace', phone: '020 7946 0100' })
  .select('id')
  .single()
  .throwOnError();

const { data: booking } = await supabase
  .from('appointments')
  .insert({ date: '2030-01-07', start_time: '09:00', service_id: service.id, client_id: client.id })
  .select('id,start_time,end_time,status,client_name,service_menu(name,price)')
  .single<Booking>()
  .throwOnError();
console.log('booked', booking.client_name, booking.start_time, booking.end_time, booking.service_menu?.name);

const taken = await supabase
  .from('appointments')
  .insert({ date: '2030-01-07', start_time: '09:30', end_time: '10:00' });
console.log('refused', taken.status, taken.error?.code, taken.error?.hint);

await supabase.from('appointments').update({ status: 'confirmed' }).eq('id', booking.id).throwOnError();
const { data: day, count } = await supabase
  .from('appointments')
  .select('start_time,client_name,status', { count: 'exact' })
  .eq('date', '2030-01-07')
  .in('status', ['scheduled', 'confirmed'])
  .order('start_time')
  .throwOnError();
console.log('the day', count, day);

const found = await supabase.from('clients').select('name').ilike('name', '%love%').throwOnError();
console.log('found', found.data);

await supabase.auth.signOut();
const after = await supabase.from('appointments').select('id');
console.log('signed out', after.status, after.error?.code);
