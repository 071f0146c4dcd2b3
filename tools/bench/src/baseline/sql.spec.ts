import { describe, expect, it } from '@jest/globals';
import { examples, reads } from '../reads.js';
import { appendText, ID, lockText, selected, statementOf, targetText } from './sql.js';

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

  it('reads the columns of a changed record in the order of the service', () => {
    const list = selected.map((name) => (name === 'version' ? 't.version' : `t."${name}"`)).join(', ');
    expect(targetText('copy')).toContain(`SELECT ${list} FROM`);
  });

  it('writes to the schema that it is given', () => {
    for (const text of [targetText('copy'), lockText('copy'), appendText('copy')]) {
      expect(text).toMatch(/"copy"\./);
      expect(text).not.toContain('scheduling');
    }
  });
});
