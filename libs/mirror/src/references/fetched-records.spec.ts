import { expect, it } from '@jest/globals';
import { FetchedRecords } from './fetched-records.js';

const visit = { resource: 'appointments', id: 'v', mark: null };
const known = { ...visit, version: 1, row: { id: 'v', price: '110.00' } };
const record = { resource: 'appointments', id: 'v', version: 2, row: { id: 'v', price: '60.00' } };

/** The answer of the owner to a question by a column. */
function answered(): FetchedRecords {
  const fetched = new FetchedRecords();
  fetched.setMatch({ resource: 'appointments', column: 'client_id', value: 'c', rows: [] }, [record]);
  return fetched;
}

it('a record that its owner has found by a value also counts in a lookup by its id', () => {
  expect(answered().settle(known)).toEqual({ row: record.row, isFetched: true });
});

it('it no longer counts once the mirror is newer, or has a deletion mark', () => {
  const newer = { ...known, version: 3 };
  expect(answered().settle(newer)).toEqual({ row: known.row, isFetched: false });
  expect(answered().settle({ ...known, mark: 'm' })).toBeUndefined();
});

it('it does not replace an answer about its id, which may have settled a deletion mark', () => {
  const fetched = answered();
  fetched.set({ ...known, mark: 'm' }, record);
  fetched.setMatch({ resource: 'appointments', column: 'date', value: 'd', rows: [] }, [record]);
  expect(fetched.settle({ ...known, mark: 'm' })).toEqual({ row: record.row, isFetched: true });
});
