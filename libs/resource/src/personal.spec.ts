import { describe, expect, it } from '@jest/globals';
import { column } from './column.js';
import { clientOf, personalOf } from './personal.js';
import { resource } from './resource.js';

const letters = resource({
  name: 'letters',
  service: 'post',
  aggregate: 'letter',
  description: 'Letters.',
  columns: {
    client_id: column.uuid({}),
    text: column.text({ personal: { of: 'client_id' } }),
    stamp: column.text({}),
  },
  events: { LetterWritten: 'created', LetterChanged: 'others', LetterBurnt: 'deleted' },
});
const columns = { names: ['text'], of: 'client_id' };

describe('personal columns', () => {
  it('are the columns with that rule, and the column that names their client', () =>
    expect(personalOf(letters)).toEqual(columns));

  it.each([
    ['the client that the event sets', { client_id: 'ada', text: 'x' }, { client_id: 'bob' }, 'ada'],
    ['the client of the record', { text: 'x' }, { client_id: 'bob' }, 'bob'],
    [
      'no client, if the event removes the client',
      { client_id: null, text: 'x' },
      { client_id: 'bob' },
      null,
    ],
    ['no client, if the first event has no client', { text: 'x' }, null, null],
  ])('belong to %s', (_, values, state, client) =>
    expect(clientOf(columns, { id: 'letter', values, state })).toBe(client),
  );

  it('belong to the record itself if it is a client', () =>
    expect(clientOf({ names: ['name'], of: 'id' }, { id: 'ada', values: {}, state: null })).toBe('ada'));

  it.each([
    [
      'of a column that does not exist',
      { text: column.text({ personal: { of: 'missing_id' } }) },
      'missing_id: unknown',
    ],
    [
      'of two clients',
      {
        ...{ one_id: column.uuid({}), other_id: column.uuid({}) },
        one: column.text({ personal: { of: 'one_id' } }),
        other: column.text({ personal: { of: 'other_id' } }),
      },
      'not of one column',
    ],
  ])('cannot be %s', (_, own, message) =>
    expect(() =>
      resource({
        ...letters,
        name: 'cards',
        aggregate: 'card',
        columns: own,
        events: { CardWritten: 'created' },
      } as never),
    ).toThrow(message),
  );
});
