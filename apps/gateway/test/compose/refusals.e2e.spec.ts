// A request that embeds records of other services is refused like a request within one service, and shows no records of other practices.

import { beforeAll, describe, expect, it } from '@jest/globals';
import { make, newPractice, type Practice } from '@practice/testing';

let practice: Practice;

beforeAll(async () => {
  practice = await newPractice();
  const ada = await make(practice, 'clients', { name: 'Ada' });
  const visit = { date: '2026-05-01', start_time: '09:00', end_time: '10:00', client_id: ada.id };
  await make(practice, 'appointments', visit);
});

describe('a refusal', () => {
  it.each([
    ['appointments?select=date,expenses(id)', 400, 'PGRST200'],
    ['appointments?select=date,clients!nope(id)', 400, 'PGRST200'],
    ['appointments?select=date,clients(nope)', 400, '42703'],
    ['appointments?select=date,clients(name)&clients.nope=eq.1', 400, '42703'],
    ['appointments?select=date,clients(name)&sessions.plan=eq.1', 400, 'PGRST108'],
    ['clients?select=name,appointments(date)&order=appointments(date)', 400, 'PGRST118'],
    ['appointments?select=date,clients(name)&clients.total_visits=eq.x', 400, '22P02'],
    ['appointments?select=date,clients!inner(name)&clients.total_visits=eq.x', 400, '22P02'],
    ['appointments?select=date,clients(name)&clients.total_visits=like.x', 404, '42883'],
    [
      'appointments?select=date,clients(name)&clients.therapist_id=eq.018f0000-0000-7000-8000-00000000000b',
      403,
      '42501',
    ],
    ['appointments?select=date,clients(name)&clients.limit=-1', 416, 'PGRST103'],
    ['clients?select=name,...appointments(count())', 400, 'PGRST127'],
  ])('%s is answered %s %s', async (path, status, code) => {
    const answer = await practice.rest(path);
    expect([answer.status, (answer.json as { code: string }).code]).toEqual([status, code]);
  });

  it('of the requested representation rolls the write back', async () => {
    const path = 'clients?select=name,appointments(date)&appointments.date=eq.soon';
    const headers = { prefer: 'return=representation' };
    const answer = await practice.rest(path, { method: 'POST', body: { name: 'Nobody' }, headers });
    expect([answer.status, (answer.json as { code: string }).code]).toEqual([400, '22007']);
    expect((await practice.rest('clients?name=eq.Nobody')).text).toBe('[]');
  });

  it('never shows values of another practice', async () => {
    const other = await newPractice();
    const answer = await other.rest('appointments?select=date,clients(name)');
    expect(answer.text).toBe('[]');
    const mine = await make(other, 'clients', { name: 'Zoe' });
    expect((await other.rest('clients?select=id,appointments(date),sessions(plan)')).json).toEqual([
      { id: mine.id, appointments: [], sessions: [] },
    ]);
  });
});
