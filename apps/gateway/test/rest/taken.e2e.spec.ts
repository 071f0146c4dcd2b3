// The refusal of a time that is taken, as data for programs.
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { SupabaseClient } from '@supabase/supabase-js';
import { make, newPractice, type Practice } from '@practice/testing';
import { clientOf } from '../supabase/practice.js';

let practice: Practice;
let supabase: SupabaseClient;
let ada: string;

beforeAll(async () => {
  practice = await newPractice();
  supabase = clientOf(practice);
  ada = (await make(practice, 'clients', { name: 'Ada' })).id;
});

describe('a time that is taken', () => {
  it('is refused with the conflicting appointment as data, also in a bulk write and in a batch', async () => {
    const booked = { client_id: ada, date: '2031-01-06', start_time: '09:00', end_time: '10:00' };
    const { id } = await make(practice, 'appointments', booked);
    const { client_id: _, ...inTheWay } = { id, ...booked };
    const wanted = { ...booked, start_time: '09:30' };
    const { error } = await supabase.from('appointments').insert(wanted);
    const message = 'the time is already booked: 2031-01-06, 09:00 to 10:00';
    expect(error).toMatchObject({ code: 'PM002', message, details: [inTheWay] });
    const free = { ...booked, start_time: '07:00', end_time: '08:00' };
    const several = await supabase.from('appointments').insert([free, wanted]);
    expect(several.error).toMatchObject({ details: [{ about: 'Record at index 1', ...inTheWay }] });
    const batch = await supabase.rpc('batch', { operations: [{ path: 'appointments', body: wanted }] });
    const about = 'Operation 1, POST appointments';
    expect(batch.error).toMatchObject({ code: 'PM002', details: [{ about, ...inTheWay }] });
  });
});
