import { describe, expect, it } from '@jest/globals';
import { shownRecords } from './shown-records.js';

const answer = (body: string | null, status = 200) => ({ status, headers: {}, body });

describe('the records that the response of a write shows', () => {
  it.each([
    [
      { ...answer('[]'), unrecorded: new Map([['lamps', { count: 1, ids: ['a'] }]]) },
      { count: 1, ids: ['a'] },
    ],
    [
      { ...answer('[{"id":"a"}]'), unrecorded: new Map() },
      { count: 0, ids: [] },
    ],
    [answer(null, 204), { count: 0, ids: [] }],
    [answer('', 201), { count: 0, ids: [] }],
    [answer('{"code":"23505"}', 409), { count: 0, ids: [] }],
  ])('are known from the write: %j', (response, shown) => {
    expect(shownRecords(response, 'lamps')).toEqual(shown);
  });

  it.each([
    ['[{"id":"a"},{"id":"b"}]', { count: 2, ids: ['a', 'b'] }],
    ['{"id":"a"}', { count: 1, ids: ['a'] }],
    ['[{"plan":"rest"}]', { count: 1, ids: null }],
    ['plan\nrest\nwalk', { count: 2, ids: null }],
  ])('of a kept response are read from its body: %s', (body, shown) => {
    expect(shownRecords(answer(body), 'lamps')).toEqual(shown);
  });
});
