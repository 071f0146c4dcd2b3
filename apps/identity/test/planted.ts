// Values of a client in each service of a practice, and the closing of the practice.

import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import type { Person } from './people.js';

/** Closes the practice of the caller. */
export const close = async ({ supabase }: Person): Promise<void> => {
  expect((await supabase.rpc('close_practice', { name: 'My practice' })).error).toBeNull();
};

export /** Creates records of a client in each service, with a text that is nowhere else. Returns the text. */
async function plant({ supabase }: Person): Promise<string> {
  const text = `planted-${randomUUID()}`;
  const made = await supabase.from('clients').insert({ name: text, phone: text }).select('id').single();
  const { id } = made.data as { id: string };
  const of = { client_id: id };
  const slot = { date: '2030-01-07', start_time: '10:00', end_time: '11:00' };
  for (const [resource, record] of [
    ['conversation_log', { ...of, content: text }],
    ['appointments', { ...of, ...slot, notes: text }],
    ['appointments', { ...slot, date: '2030-01-08', notes: `no client ${text}` }],
    ['sessions', { ...of, plan: text }],
  ] as const)
    expect((await supabase.from(resource).insert(record)).error).toBeNull();
  return text;
}
