import { describe, expect, it } from '@jest/globals';
import { parseRequest } from '@practice/query';
import { parsedBatch } from './parsed-batch.js';

const partsOf = (operations: readonly object[]) =>
  parsedBatch(
    parseRequest({
      ...{ method: 'POST', resource: 'clients', query: '', headers: {} },
      body: Buffer.from(JSON.stringify({ operations })),
    }),
  ).parts.map(({ service, records }) => [service, records]);

const id = '01890a5d-ac96-774b-bcce-b302099a8057';
const body = { status: 'inactive' };

describe('the records of a batch', () => {
  it('are the rows of its bodies, at least ten for each operation, and 1,000 where a filter decides', () => {
    const rows = Array.from({ length: 12 }, () => ({ name: 'Ada' }));
    expect(partsOf([{ path: 'clients', body: rows }])).toEqual([['clients', 12]]);
    expect(partsOf([{ method: 'PATCH', path: `clients?id=eq.${id}`, body }])).toEqual([['clients', 10]]);
    expect(partsOf([{ method: 'PATCH', path: 'clients?name=eq.Ada', body }])).toEqual([['clients', 1000]]);
  });

  it('are counted for each part, up to 1,000', () => {
    const all = { method: 'DELETE', path: 'expenses?amount=gt.5' };
    expect(partsOf([{ path: 'clients', body: { name: 'Ada' } }, all, all])).toEqual([
      ['clients', 10],
      ['finance', 1000],
    ]);
  });
});

it('refuses a row with more keys than any resource has columns', () => {
  const members = Array.from({ length: 1000 }, (_, index) => [`k${index}`, 1]);
  expect(() => partsOf([{ path: 'clients', body: Object.fromEntries(members) }])).toThrow('PGRST204');
});
