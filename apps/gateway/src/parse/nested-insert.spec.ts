import { describe, expect, it } from '@jest/globals';
import { catalog } from '@practice/contracts';
import { parseRequest, type RestRequest } from '@practice/query';
import type { Resource } from '@practice/resource';
import { inPlace, nestedInsert, type NestedInsert } from './nested-insert.js';

const parsed = (body: unknown, query = ''): NestedInsert | undefined => {
  const given: RestRequest = {
    ...{ method: 'POST', resource: 'clients', query },
    headers: { 'content-type': 'application/json', prefer: 'return=representation, missing=default' },
    body: Buffer.from(JSON.stringify(body)),
  };
  return nestedInsert(given, parseRequest(given), catalog.readable.get('clients') as Resource);
};

const nested = (body: unknown): NestedInsert => parsed(body) as NestedInsert;

const deep = [
  { name: 'Ada', appointments: [{ sessions: [{ plan: 'p' }] }, {}], conversation_log: [{ content: 'a' }] },
];

describe('a nested insert', () => {
  it('is only a request whose rows contain related records', () => {
    expect(parsed({ name: 'Ada' })).toBeUndefined();
    expect(parsed({ name: 'Ada', anything: [] })).toBeUndefined();
    expect(parsed({ name: 'Ada', appointments: null })).toBeDefined();
  });

  it('has one operation for each level, and puts levels of one service next to each other', () => {
    const { batch } = nested(deep);
    expect(
      batch.parts.map(({ service, operations }) => [service, operations.map((one) => one.resource)]),
    ).toEqual([
      ['clients', ['clients', 'conversation_log']],
      ['scheduling', ['appointments']],
      ['clinical-notes', ['sessions']],
    ]);
    const [first] = batch.parts[0]?.operations ?? [];
    expect([first?.prefer, first?.query]).toEqual([
      'missing=default,return=representation',
      'columns=%22name%22%2C%22id%22&select=id',
    ]);
  });

  it('uses the ids of a part that was carried out before under the same key', () => {
    const { batch } = nested(deep);
    const [, scheduling] = batch.parts;
    const answer = { as: null, status: 201 };
    const answers = [
      { ...answer, body: [{ id: 'of before' }] },
      { ...answer, body: null },
    ];
    const filled = batch.filled?.(scheduling?.operations ?? [], answers) ?? [];
    expect(filled[0]?.body).toMatchObject([{ client_id: 'of before' }, { client_id: 'of before' }]);
  });

  it('is refused with the place in the body', () => {
    const { levels } = nested(deep);
    const placed = (details: string) =>
      inPlace({ status: 400, code: '', message: '', details }, levels).details;
    expect(placed('Operation 3, POST appointments: Record at index 1: odd.')).toBe(
      'In clients[0].appointments[1]: odd.',
    );
    expect(placed('Operation 4, POST sessions: odd.')).toBe(
      'In clients[0].appointments[0].sessions[0]: odd.',
    );
    expect(placed('Operation 3, POST appointments.')).toBe('In clients.appointments.');
  });
});
