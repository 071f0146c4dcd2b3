import { describe, expect, it } from '@jest/globals';
import { acrossText, appendText, lockText, reads, targetText } from './sql.js';

const [practice] = reads.day.values;
const LIMIT = [1000, 0];

describe('the SQL of the baselines', () => {
  it.each([
    ['day', ['2027-01-04', ...LIMIT]],
    ['list', ['{"scheduled","confirmed"}', '2027-01-04', '2027-01-18', 50, 0]],
    ['search', ['%weber%', ...LIMIT]],
    ['notes', [practice, 50, 0]],
    ['expenses', [100, 0]],
    ['within', ['2027-01-04', ...LIMIT]],
    ['count', [50, 0]],
    ['csv', ['id,therapist_id,date,amount,category,description,vendor,created_at,updated_at', ...LIMIT]],
  ] as const)('takes the parameters of %s in the order in which reads.ts passes them', (name, values) => {
    expect(reads[name].values.map(String)).toEqual([practice, ...values].map(String));
  });

  it('joins clients across services', () => {
    expect(acrossText).toContain('FROM "clients"."clients" AS t1');
    expect(acrossText.replace(/\(SELECT row_to_json.*? AS "clients", /, '')).toBe(reads.within.text);
  });

  it('writes to the schema that it is given', () => {
    for (const text of [targetText('copy'), lockText('copy'), appendText('copy')]) {
      expect(text).toMatch(/"copy"\./);
      expect(text).not.toContain('scheduling');
    }
  });
});
