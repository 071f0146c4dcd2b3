// A practice with a few records, as browser code uses it with a signed-in client of supabase-js.

import { newPractice, stack, type Practice, patient } from '@practice/testing';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { WebSocket } from 'ws';

/** supabase-js with the session of a practice. */
export function clientOf({ token }: Practice): SupabaseClient {
  const { baseUrl, apikey } = stack();
  return createClient(baseUrl, apikey, {
    accessToken: () => Promise.resolve(token),
    realtime: { transport: WebSocket as never },
  });
}

export const signedUp = async (): Promise<SupabaseClient> => clientOf(await newPractice());

/** Ids in the order of the records. The specs choose them instead of the server. */
export const ids = Array.from(
  { length: 9 },
  (_, index) => `${String(index + 1).repeat(8)}-0000-4000-8000-000000000000`,
) as [string, ...string[]];

export const [ANN, BOB, CY] = ids as [string, string, string];

/** Adds three clients, two services, four appointments and notes. */
export async function addRecords(supabase: SupabaseClient): Promise<void> {
  const add = async (resource: string, records: object[]): Promise<void> => {
    const { error } = await patient(() => supabase.from(resource).insert(records, { defaultToNull: false }));
    if (error !== null) throw error;
  };
  await add('clients', [
    { id: ANN, name: 'Ann Lee', email: 'ann@example.com', total_visits: 3 },
    { id: BOB, name: 'Bob "B", (jr.)', phone: '123', status: 'inactive', total_visits: 7 },
    { id: CY, name: 'Cy', email: 'cy@example.com', phone: '5', total_visits: 10 },
  ]);
  await add('service_menu', [
    { id: ids[0], name: 'Massage', duration: 60, price: 120 },
    { id: ids[1], name: 'Talk', duration: 30, price: 55.5 },
  ]);
  const day = { start_time: '09:00', end_time: '10:00', status: 'no_show' };
  await add('appointments', [
    { ...day, id: ids[0], date: '2026-01-05', client_id: ANN, service_id: ids[0], notes: 'a fat cat' },
    { ...day, id: ids[1], date: '2026-01-06', client_id: ANN, service_id: ids[1] },
    { ...day, id: ids[2], date: '2026-01-07', client_id: BOB, service_id: ids[1], status: 'cancelled' },
    { ...day, id: ids[3], date: '2026-01-08', notes: 'rest' },
  ]);
  await add('conversation_log', [
    {
      id: ids[0],
      client_id: ANN,
      content: 'hello',
      metadata: { thread: 1, tags: ['a', 'b'], by: { who: 'x' } },
    },
    { id: ids[1], client_id: ANN, content: 'again', metadata: { thread: 2 } },
    { id: ids[2], client_id: CY, content: 'third' },
  ]);
  await add('sessions', [
    { id: ids[0], client_id: ANN, appointment_id: ids[0], plan: 'rest' },
    { id: ids[1], client_id: BOB, subjective: 'tired' },
  ]);
}
