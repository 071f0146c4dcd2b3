import { describe, expect, it } from '@jest/globals';
import { outcomeOf, type Problem } from '@practice/core';
import { callOf } from '../testing/calls.js';
import type { Sample } from '../testing/sample.js';

/** The arguments of a call and the number of its filters, or the problem. */
const outcome = (name: string, query: string, sample: Sample = {}): unknown =>
  outcomeOf(() => {
    const { request } = callOf(name, query, sample);
    return [request.rows[0], request.options.conditions.length];
  });

const post = (body: unknown, type?: string): Sample => ({
  method: 'POST',
  ...(body !== undefined && { body }),
  ...(type !== undefined && { headers: { 'content-type': type } }),
});

describe('the arguments of a call', () => {
  it.each<[string, string, Sample, unknown]>([
    ['free_rooms', 'day=2026-05-01&seats=2', {}, [{ day: '2026-05-01', seats: '2' }, 0]],
    ['free_rooms', 'day=2026-05-01&name=eq.Blue&limit=1', {}, [{ day: '2026-05-01' }, 1]],
    // The first of two values applies, as with other parameters.
    ['free_rooms', 'day=a&day=b', {}, [{ day: 'a' }, 0]],
    // A name that is only an argument is never a filter.
    ['free_rooms', 'day=eq.1', {}, [{ day: 'eq.1' }, 0]],
    // A name that is both is a filter if its value reads as one.
    ['free_rooms', 'day=x&seats=gt.2&seats=3', {}, [{ day: 'x', seats: '3' }, 1]],
    ['free_rooms', '', post({ day: 'x', seats: null }), [{ day: 'x', seats: null }, 0]],
    ['free_rooms', 'seats=gt.2', post({ day: 'x' }), [{ day: 'x' }, 1]],
    ['free_rooms', 'columns=day', post({ day: 'x', other: 1 }), [{ day: 'x' }, 0]],
    ['free_rooms', '', post([{ day: 'x' }]), [{ day: 'x' }, 0]],
    ['free_rooms', '', post('day=x', 'application/x-www-form-urlencoded'), [{ day: 'x' }, 0]],
    ['free_rooms', '', post('day\nx', 'text/csv'), [{ day: 'x' }, 0]],
    ['rename_room', '', post({ name: 'constructor' }), [{ name: 'constructor' }, 0]],
    ['clear', '', post(undefined), [{}, 0]],
    ['clear', '', post('null'), [{}, 0]],
  ])('are separated from filters: %s?%s %j', (name, query, sample, expected) => {
    expect(outcome(name, query, sample)).toEqual(expected);
  });

  // A QUERY has room for many. They are counted before anything is decoded.
  it('may be a thousand, with all other parameters', () => {
    expect(outcome('free_rooms', `${'day=x&'.repeat(999)}seats=1`)).toEqual([{ day: 'x', seats: '1' }, 0]);
    expect(outcome('free_rooms', `${'day=x&'.repeat(1_000)}%`)).toMatchObject({ code: 'PM400' });
    expect(outcome('free_rooms', `day=x&${'order=day&'.repeat(1_001)}`)).toMatchObject({ code: 'PM400' });
  });

  it('are refused if they do not fit, with a hint at the function that fits best', () => {
    expect(outcome('free_rooms', '')).toMatchObject({
      status: 404,
      code: 'PGRST202',
      message: 'Could not find the function public.free_rooms without parameters in the schema cache',
      details:
        'Searched for the function public.free_rooms without parameters, but no matches were found in the schema cache.',
      hint: 'Perhaps you meant to call the function public.free_rooms(day, seats?)',
    });
    expect(outcome('free_rooms', '', post({ day: 1, toString: 2 }))).toMatchObject({
      message: 'Could not find the function public.free_rooms(day, toString) in the schema cache',
      details:
        'Searched for the function public.free_rooms with parameters day, toString or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache.',
    });
    expect(outcome('free_room', 'a=1')).toMatchObject({
      details:
        'Searched for the function public.free_room with parameter a, but no matches were found in the schema cache.',
      hint: 'Perhaps you meant to call the function public.free_rooms',
    });
    expect(outcome('nothing', '')).toMatchObject({ code: 'PGRST202', hint: null });
    expect(outcome('constructor', '')).toMatchObject({ code: 'PGRST202' });
    expect(outcome('free_rooms', '', post('x', 'text/plain'))).toMatchObject({
      message: 'Could not find the function public.free_rooms in the schema cache',
    });
  });

  it.each<[string, string, Sample, Partial<Problem>]>([
    ['free_rooms', 'day=x', { headers: { 'accept-profile': 'private' } }, { status: 406, code: 'PGRST106' }],
    ['free_rooms', '', { method: 'PATCH' }, { status: 405, code: 'PGRST101' }],
    ['clear', '', {}, { status: 405, code: '25006' }],
    ['clear', '', { method: 'PUT' }, { code: 'PGRST101', headers: { Allow: 'OPTIONS,POST' } }],
    ['free_rooms', 'day=x&order=a.b', {}, { status: 400, code: 'PGRST100' }],
    ['free_rooms', 'day=x&limit=-1', {}, { status: 416, code: 'PGRST103' }],
    ['clear', '', post('{'), { status: 400, code: 'PGRST102' }],
    ['clear', '', post([{}, {}]), { status: 400, code: 'PGRST102' }],
    ['clear', '', post('x', 'image/png'), { status: 400, code: 'PGRST102' }],
  ])('%s?%s %j is refused', (name, query, sample, problem) => {
    expect(outcome(name, query, sample)).toMatchObject(problem);
  });
});
