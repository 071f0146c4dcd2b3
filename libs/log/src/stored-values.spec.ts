import { describe, expect, it } from '@jest/globals';
import type { Statement } from './statement.js';
import { withoutStoredValues } from './stored-values.js';

const read = (...values: string[]): Statement => ({
  text: '',
  values: ['practice', ...values],
  isShaped: true,
});

const seen = (statement: Statement, fields: { code: string; message: string; detail?: string }) => {
  const error = Object.assign(new Error(), fields, { where: 'JSON data, line 1: a note' });
  const { message, detail, where } = withoutStoredValues(error, statement);
  return { message, detail, where };
};

describe('an error of Postgres about a value', () => {
  it.each([
    ['22007', 'invalid input syntax for type date: "a note"', 'invalid input syntax for type date'],
    [
      '22P02',
      'invalid input syntax for type integer: "a "quoted" note"',
      'invalid input syntax for type integer',
    ],
    [
      '22003',
      'value "99999999999" is out of range for type integer',
      'value is out of range for type integer',
    ],
    ['22003', '"1e999" is out of range for type real', 'value is out of range for type real'],
    ['42601', 'syntax error in tsquery: "a note"', 'syntax error in tsquery'],
    ['22008', 'date/time field value out of range: "2026\n02-30"', 'date/time field value out of range'],
  ])('that is stored does not quote the value: %s %s', (code, message, expected) => {
    expect(seen(read('another value'), { code, message }).message).toBe(expected);
  });

  it('that the caller sent is unchanged, also in a list', () => {
    const message = 'invalid input syntax for type integer: "many"';
    expect(seen(read('{1,many}'), { code: '22P02', message }).message).toBe(message);
  });

  it('does not quote a value that the service itself sent, such as the rows of a function', () => {
    const [code, message] = ['22P02', 'invalid input syntax for type integer: "a note"'];
    const rows: Statement = { text: '', values: ['[{"name":"a note"}]'], isShaped: true };
    expect(seen(rows, { code, message }).message).not.toContain('note');
    expect(seen({ text: '', values: ['a note'] }, { code, message }).message).not.toContain('note');
  });

  it('has no details or context with a stored value', () => {
    const json = { code: '22P02', message: 'invalid input syntax for type json' };
    expect(seen(read(), { ...json, detail: 'Token "note" is invalid.' })).toEqual({
      message: json.message,
      detail: undefined,
      where: undefined,
    });
    const [detail, ended] = ['Token "note" is invalid.', 'The input string ended unexpectedly.'];
    expect(seen(read('{note}'), { ...json, detail }).detail).toBe(detail);
    expect(seen(read(), { ...json, detail: ended }).detail).toBe(ended);
    const xml = { code: '2200N', message: 'invalid XML content', detail: 'line 1: expected\na note\n^' };
    expect(seen(read(), xml).detail).toBeUndefined();
  });

  it('keeps its value if it is about the statement', () => {
    const message = 'cannot cast type integer to date: "x"';
    expect(seen(read(), { code: '42846', message })).toMatchObject({ message });
  });
});
