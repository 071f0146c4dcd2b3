import { describe, expect, it } from '@jest/globals';
import { outcomeOf } from '@practice/core';
import { operationsOf } from './operations.js';
import { aboutReference, withReferences, type BatchResult } from './references.js';

const results = new Map<string, BatchResult>([
  ['ada', { kind: 'record', record: { id: 'a1', name: 'Ada "A", B', visits: 3, note: null } }],
  ['several', { kind: 'records', count: 2 }],
]);
const names = new Set(['ada', 'several', 'later']);

function filled(path: string, body: unknown = {}): { query: string; body?: unknown } {
  const [operation] = operationsOf([{ path, body }]);
  if (operation === undefined) throw new Error('no operation');
  return withReferences(operation, names, results);
}

describe('a reference to an earlier operation', () => {
  it('is replaced in a body if it is the whole value, and keeps its type', () => {
    const { body } = filled('clients', [
      { id: '$ada.id', visits: '$ada.visits', note: '$ada.note', deep: { list: ['$ada.name'] } },
      { id: 'is $ada.id', cost: '$5', other: '$other.id' },
    ]);
    expect(body).toEqual([
      { id: 'a1', visits: 3, note: null, deep: { list: ['Ada "A", B'] } },
      { id: 'is $ada.id', cost: '$5', other: '$other.id' },
    ]);
  });

  it('is replaced anywhere in the values of a path, and stays one value', () => {
    expect(filled('clients?name=eq.$ada.name').query).toBe('name=eq.Ada%20%22A%22%2C%20B');
    expect(filled('clients?name=in.($ada.name,x)').query).toBe(
      'name=in.%28%22Ada%20%5C%22A%5C%22%2C%20B%22%2Cx%29',
    );
    expect(filled('clients?or=(id.eq.$ada.id,name.eq.$ada.name)').query).toBe(
      'or=%28id.eq.a1%2Cname.eq.%22Ada%20%5C%22A%5C%22%2C%20B%22%29',
    );
    const encoded = new URLSearchParams({ id: 'in.($ada.id,$ada.id)' });
    expect(filled(`clients?${encoded}`).query).toBe('id=in.%28a1%2Ca1%29');
  });

  it('is not replaced in the names of columns or relations', () => {
    const query =
      'select=$ada.name&columns=$ada.name&order=$ada.name&clients.order=$ada.id&$ada.id=eq.1&%73elect=$ada.id';
    expect(filled(`clients?${query}`).query).toBe(query);
  });

  it.each([
    ['clients?id=eq.$later.id', 'The operation later comes later.'],
    ['clients?id=eq.$several.id', 'The operation several is about 2 records.'],
    ['clients?id=eq.$ada.nothing', 'The record of ada has no column nothing.'],
  ])('is refused in %s', (path, details) => {
    expect(outcomeOf(() => filled(path))).toMatchObject({ details });
  });

  it('to an unknown operation is reported as the reason for the error of Postgres', () => {
    const refused = { status: 400, code: '22P02', message: 'invalid input syntax for type uuid: "$who.id"' };
    expect(aboutReference(refused, names)).toMatchObject({
      code: 'PM400',
      details: 'No earlier operation has the name who.',
    });
    expect(aboutReference(refused, new Set(['who']))).toBe(refused);
    const other = { ...refused, message: 'invalid input syntax for type integer: "$5"' };
    expect(aboutReference(other, names)).toBe(other);
  });
});
