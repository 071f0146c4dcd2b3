import { describe, expect, it } from '@jest/globals';
import { examples, reads } from '../reads.js';
import { ID, statementOf } from './sql.js';

describe('the SQL of the baselines', () => {
  it.each(Object.entries(examples('Weber', ID)))(
    'is one prepared statement for all requests of %s',
    (name, read) => {
      const { text, values } = statementOf(ID, read);
      expect(values[0]).toBe(ID);
      expect(text).toContain(`$${values.length}`);
      const other = examples('', ID)[name as keyof typeof reads];
      expect(statementOf('018f0000-0000-7000-8000-00000000000b', other).text).toBe(text);
    },
  );

  it('joins clients across services', () => {
    const { text } = statementOf(ID, reads.across('2027-01-04'));
    expect(text).toContain('FROM "clients"."clients" AS t1');
    expect(text.replace(/\(SELECT row_to_json.*? AS "clients", /, '')).toBe(
      statementOf(ID, reads.within('2027-01-04')).text,
    );
  });
});
