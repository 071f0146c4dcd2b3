// A day of work of an assistant: each task takes at most two calls.

import { expect, it } from '@jest/globals';
import { make, newPractice, rowsOf } from '@practice/testing';
import { assistantWith, personalToken, type ToolAnswer } from './assistants.js';

it('an assistant finds, books, moves, cancels, notes and undoes with at most two calls each', async () => {
  const practice = await newPractice();
  const made = await make(practice, 'clients', { name: 'Ada Lovelace' });
  const assistant = await assistantWith(await personalToken(practice));
  const calls: Record<string, number> = {};
  const use = (task: string, name: string, args: object): Promise<ToolAnswer> => {
    calls[task] = (calls[task] ?? 0) + 1;
    return assistant.call(name, args);
  };
  /** Proposes and commits. */
  const write = async (task: string, name: string, args: object): Promise<ToolAnswer> => {
    const { data } = await use(task, name, args);
    const { proposal_id: id } = data['proposal'] as unknown as { proposal_id: string };
    const done = await use(task, 'commit', { proposal_id: id });
    expect(done).toMatchObject({ isError: false, data: { change_id: expect.any(String) } });
    return done;
  };
  const idIn = ({ data }: ToolAnswer, member = 'records'): string =>
    (data[member] as unknown as { id: string }[])[0]?.id ?? '';

  const client = idIn(await use('find', 'search', { q: 'ada lovlace' }), 'results');
  expect(client).toBe(made.id);
  const visit = { date: '2031-03-03', start_time: '09:00', end_time: '09:50', client_id: client };
  const id = idIn(await write('book', 'book', visit));
  await write('move', 'change', { id, date: '2031-03-04', start_time: '10:00' });
  await write('note', 'draft_note', { client_id: client, appointment_id: id, plan: 'Go on' });
  const cancelled = await write('cancel', 'cancel', { id, reason: 'ill' });
  await write('undo', 'undo', { change_id: cancelled.data['change_id'] });

  expect(calls).toEqual({ find: 1, book: 2, move: 2, note: 2, cancel: 2, undo: 2 });
  expect(await rowsOf(practice, `appointments?id=eq.${id}`)).toMatchObject([
    { date: '2031-03-04', start_time: '10:00', end_time: '10:50', status: 'scheduled' },
  ]);
});
