import { describe, expect, it } from '@jest/globals';
import { allSteps } from '@practice/core';
import { noOptions, parseQueryOptions } from '../parse/query-options.js';
import { parametersOf } from '../parse/query-string.js';
import { planSubquery, type Subquery, type SubqueryResult } from '../plan/subplan.js';
import { otherPractice, practice, sampleContext } from '../testing/sample.js';
import { PreparedSubquery } from './prepared-subquery.js';
import { compileKeys, compileRows } from './subplan.js';

const KEY = '018f0000-0000-7000-8000-0000000000aa';
const OTHER_KEY = '018f0000-0000-7000-8000-0000000000bb';

const rooms = (query: string): Subquery => ({
  resource: 'rooms',
  options: { ...noOptions, ...allSteps(parseQueryOptions(parametersOf(query))) },
  depth: 1,
  key: 'id',
  isToOne: true,
  isSpread: false,
  timezone: null,
  asOf: null,
});

const rows: SubqueryResult = { kind: 'rows', format: { kind: 'members', stripped: false } };
const keys: SubqueryResult = { kind: 'keys', matching: true, values: [], ranks: [] };

const asks = [
  { therapistId: practice, wanted: [KEY] },
  { therapistId: otherPractice, wanted: [OTHER_KEY, null] },
  { therapistId: practice, wanted: [] },
];

describe('a prepared subquery', () => {
  it.each([
    ['rows', rows, 'select=name'],
    ['rows with a condition', rows, 'select=name&name=eq.Blue'],
    ['keys', keys, 'name=eq.Blue'],
  ] as const)(
    'of %s gives each practice and its keys what a plan of its own would give',
    (_, result, query) => {
      const subquery = rooms(query);
      const prepared = new PreparedSubquery(subquery, result);
      for (const { therapistId, wanted } of asks) {
        const context = { ...sampleContext, therapistId, semiJoinKeys: [] };
        const plan = planSubquery(subquery, result, context);
        const own =
          plan.kind === 'keys' ? compileKeys(plan, therapistId) : compileRows(plan, therapistId, wanted);
        expect(prepared.for(context, wanted).query).toEqual(own);
      }
    },
  );

  it('rejects a request that names another practice', () => {
    const prepared = new PreparedSubquery(rooms(`therapist_id=eq.${practice}`), rows);
    const context = { ...sampleContext, semiJoinKeys: [] };
    prepared.for({ ...context, therapistId: practice }, [KEY]);
    expect(() => prepared.for({ ...context, therapistId: otherPractice }, [KEY])).toThrow('42501');
  });
});
