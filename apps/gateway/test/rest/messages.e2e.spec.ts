// Refusals that people can read: the message contains the column, the value and the format.
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { SupabaseClient } from '@supabase/supabase-js';
import { make, newPractice, slot, type Practice } from '@practice/testing';
import { clientOf } from '../supabase/practice.js';

let practice: Practice;
let supabase: SupabaseClient;

beforeAll(async () => {
  practice = await newPractice();
  supabase = clientOf(practice);
});

const nobody = '01890a5d-ac96-774b-bcce-b302099a8057';
const at = { date: '2030-02-03', start_time: '10:00', end_time: '11:00' };
const uuid = 'a UUID such as 01890a5d-ac96-774b-bcce-b302099a8057';

describe('a refused value', () => {
  it.each([
    ['clients', {}, '23502', 'name is required: a text without U+0000'],
    ['clients', { name: ' ' }, '23514', 'name must not be blank'],
    ['clients', { name: 'A', email: 'ada' }, '23514', 'email must be an e-mail address, not "ada"'],
    [
      'clients',
      { name: 'A', email: 'x'.repeat(400) },
      '22001',
      'email must be at most 320 characters long, not 400',
    ],
    [
      'clients',
      { name: 'A', total_visits: 2 ** 31 },
      '22003',
      'total_visits must be a whole number from -2147483648 to 2147483647, not "2147483648"',
    ],
    ['clients', { name: 'A', therapist_id: nobody }, '42501', 'therapist_id must be the id of your practice'],
    ['appointments', { ...at, client_id: 'ada' }, '22P02', `client_id must be ${uuid}, not "ada"`],
    [
      'appointments',
      { ...at, client_id: nobody },
      '23503',
      `client_id must name a record of clients, and ${nobody} names none`,
    ],
    [
      'appointments',
      { ...at, date: '3.2.2030' },
      '22007',
      'date must be a date such as 2030-01-31, not "3.2.2030"',
    ],
    [
      'appointments',
      { ...at, date: '2030-02-30' },
      '22008',
      'date must be a date such as 2030-01-31, not "2030-02-30"',
    ],
    [
      'appointments',
      { ...at, start_time: '10 am' },
      '22007',
      'start_time must be a time to the minute such as 09:30, not "10 am"',
    ],
    ['appointments', { ...at, end_time: '09:00' }, '23514', 'end_time must be after start_time, not "09:00"'],
    [
      'expenses',
      { amount: '80,50', date: '2030-01-01', category: 'rent' },
      '22P02',
      'amount must be a number such as 120.50, of at most 10 digits before the point, not "80,50"',
    ],
  ])('of %s is named with what is expected: %j', async (resource, body, code, message) => {
    const { error } = await supabase.from(resource).insert(body);
    expect(error).toMatchObject({ code, message });
  });

  it('of one of several records has the index of that record', async () => {
    const { error } = await supabase.from('clients').insert([{ name: 'Bob' }, { name: '' }]);
    const details = 'Record at index 1: name must not be blank.';
    expect(error).toMatchObject({ code: '23514', message: 'name must not be blank', details });
  });

  it.each([
    ['PATCH', { name: 'Ada' }],
    ['DELETE', undefined],
  ])('of the filter of a %s is named in each repetition', async (method, body) => {
    const message = `the value of the filter id must be ${uuid}, not "x"`;
    for (const _ of [1, 2, 3]) {
      const { status, json } = await practice.rest('clients?id=eq.x', { method, body });
      expect([status, json]).toMatchObject([400, { code: '22P02', message }]);
    }
  });

  it('of a filter is also named, even in a tree or a list', async () => {
    const words = 'invalid input syntax for type uuid: "x"';
    const expected = `the value of the filter id must be ${uuid}, not "x"`;
    for (const query of ['id=eq.x', 'id=in.(x)', 'or=(name.eq.Ada,id.eq.x)', 'id=eq(any).{x}']) {
      const { status, json } = await practice.rest(`clients?${query}`);
      expect([query, status, json]).toEqual([
        query,
        400,
        { code: '22P02', message: expected, details: words, hint: null },
      ]);
    }
    const embedded = await practice.rest('clients?select=name,appointments(id)&appointments.date=gt.soon');
    const date = 'a date such as 2030-01-31';
    expect(embedded.json).toMatchObject({
      message: `the value of the filter appointments.date must be ${date}, not "soon"`,
    });
  });

  it('of a function is named with its argument', async () => {
    const { error } = await supabase.rpc('free_slots', { duration: 'long' });
    expect(error).toMatchObject({
      code: '22P02',
      message: 'duration must be a whole number from -2147483648 to 2147483647, not "long"',
    });
  });
});

describe('a record that others refer to', () => {
  it('is not deleted, and the refusal names the resource and column that refer to it', async () => {
    const { id } = await make(practice, 'clients', { name: 'Eve' });
    await make(practice, 'appointments', { ...slot(3), client_id: id });
    const { error } = await supabase.from('clients').delete().eq('id', id);
    expect(error).toMatchObject({
      code: '23503',
      message: 'the record of clients cannot be deleted: records of appointments name it in client_id',
    });
  });
});

describe('names of weekdays', () => {
  it('are read in any case, in bodies, filters and arguments', async () => {
    const hours = { day_of_week: 'Monday', open_time: '09:00', close_time: '10:00' };
    expect((await supabase.from('business_hours').insert(hours)).error).toBeNull();
    const days = async (filter: string): Promise<unknown> =>
      (await practice.rest(`business_hours?select=day_of_week&${filter}`)).json;
    for (const filter of ['eq.MONDAY', 'in.(Monday,Sunday)', 'eq(any).{Monday}', 'isdistinct.Sunday'])
      expect([filter, await days(`day_of_week=${filter}`)]).toEqual([filter, [{ day_of_week: 'monday' }]]);
    expect(await days('day_of_week=neq.MONDAY')).toEqual([]);
    const free = { duration: 60, weekdays: ['Monday', 'TUESDAY'] };
    const { data, error } = await supabase.rpc('free_slots', free).limit(1);
    expect([error, data]).toMatchObject([null, [{ start_time: '09:00' }]]);
  });
});

describe('an unknown function', () => {
  it.each([
    ['serch', 'search'],
    ['erase', 'erase_client'],
    ['slots', 'free_slots'],
  ])('%s suggests %s', async (name, near) => {
    const { error } = await supabase.rpc(name);
    expect(error).toMatchObject({
      code: 'PGRST202',
      hint: `Perhaps you meant to call the function public.${near}`,
    });
  });
});
