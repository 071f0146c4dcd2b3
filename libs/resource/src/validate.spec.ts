import { describe, expect, it } from '@jest/globals';
import { outcomeOf, type Problem } from '@practice/core';
import fc from 'fast-check';
import { column } from './column.js';
import { isLonger } from './json-kind.js';
import { resource, type Resource } from './resource.js';
import { checkRecord, checkedValues, newRecord } from './validate.js';

const rooms = resource({
  name: 'rooms',
  service: 'houses',
  aggregate: 'room',
  description: 'Where people sit.',
  columns: {
    name: column.text({ required: true, notBlank: true, maxLength: 5 }),
    floor: column.integer({ default: 0, min: -1, max: 30 }),
    kind: column.text({ default: 'office', oneOf: ['office', 'hall'], lowerCase: true }),
    opens: column.timeOfDay({ required: true }),
    closes: column.timeOfDay({ requiredUnless: 'like_room', after: 'opens' }),
    like_room: column.uuid({}),
    note: column.text({}),
    rent: column.money({}),
  },
  events: { RoomAdded: 'created', RoomChanged: ['name'], RoomRemoved: 'deleted' },
}) as unknown as Resource;

const mine = '018f0000-0000-7000-8000-000000000001';
const other = '018f0000-0000-7000-8000-000000000002';
const made = '018f0000-0000-7000-8000-0000000000aa';
const now = '2026-05-01T08:00:00+00:00';
const defaults = { therapistId: mine, id: () => made, now };
const whole = { name: 'Blue', opens: '9:00', closes: '17:00:00' };

const problemOf = (step: () => unknown): Problem => outcomeOf(step) as Problem;

const refusalOf = (body: object): Problem =>
  problemOf(() => newRecord(rooms, body as Record<string, unknown>, defaults));

describe('a new record', () => {
  it('has the given values in canonical form, and defaults for the rest', () => {
    expect(newRecord(rooms, whole, defaults)).toEqual({
      id: made,
      therapist_id: mine,
      name: 'Blue',
      floor: 0,
      kind: 'office',
      opens: '09:00',
      closes: '17:00',
      like_room: null,
      note: null,
      rent: null,
      created_at: now,
      updated_at: now,
    });
  });

  it('has its columns in the order of the definition', () => {
    const row = newRecord(rooms, { closes: '17:00', opens: '09:00', name: 'Blue' }, defaults);
    expect(Object.keys(row)).toEqual(Object.keys(rooms.columns));
  });

  it('may have its own id and time of creation', () => {
    const body = { ...whole, id: other.toUpperCase(), created_at: '2020-01-01' };
    expect(newRecord(rooms, body, defaults)).toMatchObject({
      id: other,
      created_at: '2020-01-01T00:00:00+00:00',
      updated_at: now,
    });
  });

  it('gets the standard values if the caller sends null for them', () => {
    const row = newRecord(rooms, { ...whole, id: null, therapist_id: null, created_at: null }, defaults);
    expect(row).toMatchObject({ id: made, therapist_id: mine, created_at: now });
  });

  it('has the updated_at of the server', () => {
    expect(newRecord(rooms, { ...whole, updated_at: '2020-01-01' }, defaults)['updated_at']).toBe(now);
  });

  it.each([
    ['is missing', { opens: '09:00', closes: '10:00' }],
    ['is null', { ...whole, name: null }],
  ])('is refused when a required column %s', (_, body) => {
    expect(refusalOf(body)).toEqual({
      status: 400,
      code: '23502',
      message: 'name is required: a text without U+0000',
    });
  });

  it('is refused when a column with a default is null', () => {
    expect(refusalOf({ ...whole, floor: null })).toMatchObject({
      code: '23502',
      message: 'floor is required: a whole number from -2147483648 to 2147483647',
    });
  });

  it('may lack a column that is decided from another column, if the other column has a value', () => {
    expect(
      newRecord(rooms, { name: 'Blue', opens: '09:00', like_room: other }, defaults)['closes'],
    ).toBeNull();
    expect(refusalOf({ name: 'Blue', opens: '09:00' })).toMatchObject({
      code: '23502',
      hint: 'It may be left out with like_room.',
    });
  });

  it.each([
    ['name', { name: ' \t' }, 'name must not be blank', ''],
    ['floor', { floor: 31 }, 'floor must be from -1 to 30', ', not "31"'],
    ['floor', { floor: -2 }, 'floor must be from -1 to 30', ', not "-2"'],
    ['kind', { kind: 'cellar' }, 'kind must be one of office, hall', ', not "cellar"'],
    ['closes', { closes: '09:00' }, 'closes must be after opens', ', not "09:00"'],
  ])('is refused when %s breaks its rule: %j', (name, but, rule, value) => {
    const { hint, ...refusal } = refusalOf({ ...whole, ...but });
    expect(refusal).toEqual({
      status: 400,
      code: '23514',
      message: `${rule}${value}`,
      details: `${rule}.`,
    });
    const both = 'Set opens and closes together, or set closes to null to compute it.';
    expect(hint).toBe(name === 'closes' ? both : undefined);
  });
});

describe('values of a body', () => {
  const values = (body: Record<string, unknown>) => checkedValues(rooms, body, mine);

  it('include only the columns of the body', () => {
    expect(values({ floor: '3', note: null })).toEqual({ floor: 3, note: null });
  });

  it('leave out standard columns with null', () => {
    const nulls = { id: null, therapist_id: null, created_at: null, updated_at: null };
    expect(values({ ...nulls, note: null })).toEqual({ note: null });
  });

  it('are converted to lower case if the definition requires it', () => {
    expect(values({ kind: ' HALL ', name: 'BLUE' })).toEqual({ kind: 'hall', name: 'BLUE' });
  });

  it('are NFC-normalised before they are measured', () => {
    expect(values({ name: 'e\u0301'.repeat(5) })).toEqual({ name: 'é'.repeat(5) });
  });

  it('are measured in characters, not in code units', () => {
    expect(values({ name: '😀'.repeat(5) })).toEqual({ name: '😀'.repeat(5) });
    expect(problemOf(() => values({ name: '😀'.repeat(6) }))).toEqual({
      status: 400,
      code: '22001',
      message: 'name must be at most 5 characters long, not 6',
    });
  });

  it('have at most 65,536 characters if they are texts', () => {
    expect(values({ note: 'x'.repeat(65_536) })['note']).toHaveLength(65_536);
    expect(problemOf(() => values({ note: 'x'.repeat(65_537) })).code).toBe('22001');
    expect(problemOf(() => values({ note: '😀'.repeat(65_537) })).message).toMatch(/, not 65537$/);
  });

  it('must not contain NUL', () => {
    expect(problemOf(() => values({ note: 'a\0' })).code).toBe('22P05');
  });

  it.each([other, other.toUpperCase(), `{${other}}`])('may not name another practice: %s', (practice) => {
    expect(problemOf(() => values({ therapist_id: practice }))).toEqual({
      status: 403,
      code: '42501',
      message: 'therapist_id must be the id of your practice',
      hint: 'Leave it out: the server sets it.',
    });
  });

  it('may name the caller’s own practice in any spelling', () => {
    expect(values({ therapist_id: mine.toUpperCase() })).toEqual({ therapist_id: mine });
  });

  it('are refused as malformed with the column, the format and the value', () => {
    expect(problemOf(() => values({ floor: 'high' }))).toEqual({
      status: 400,
      code: '22P02',
      message: 'floor must be a whole number from -2147483648 to 2147483647, not "high"',
    });
  });
});

describe('a document', () => {
  const notes = { columns: { text: column.json({}) } } as unknown as Resource;
  const texts = fc.string({
    unit: fc.constantFrom('\\', 'u', '0', 'd8', '"', '\0', '\ud83d', '\ude00', 'é'),
  });

  it('is refused for NUL and for half of a surrogate pair, in texts and keys', () => {
    fc.assert(
      fc.property(texts, texts, (key, value) => {
        const isStorable = [key, value].every((one) => one.isWellFormed() && !one.includes('\0'));
        const checked = outcomeOf(() => checkedValues(notes, { text: { [key]: [value] } }, mine));
        expect(checked).toMatchObject(isStorable ? { text: { [key]: [value] } } : { code: '22P05' });
      }),
    );
  });

  it('is refused as a text with a number that no double holds, and the message says that the numbers are wrong', () => {
    const text = '{"a":1e400}';
    const expected = 'text must be a JSON object whose numbers are doubles';
    const refused = (columns: object): Problem =>
      problemOf(() => checkedValues({ columns } as unknown as Resource, { text }, mine));
    expect(refused({ text: column.json({}) })).toMatchObject({
      ...{ code: '22003', message: `${expected}, not "${text}"` },
      hint: expect.stringContaining('doubles'),
    });
    expect(refused({ text: column.json({ confidential: true }) }).message).toBe(expected);
  });

  it('has its keys in the order of jsonb: by their bytes of UTF-8', () => {
    const keys = ['\u{1f600}', '\uffff', 'zz', 'é', 'b', 'aa', 'abcd'];
    const { text } = checkedValues(notes, { text: Object.fromEntries(keys.map((key) => [key, 1])) }, mine);
    expect(Object.keys(text as object)).toEqual(['b', 'aa', 'zz', 'é', '\uffff', 'abcd', '\u{1f600}']);
  });
});

describe('a document that is too long', () => {
  const notes = { columns: { text: column.json({ maxBytes: 100 }) } } as unknown as Resource;

  it('is refused by its rule, and read no further than to there', () => {
    const unread = {
      get text(): never {
        throw new Error('read');
      },
    };
    const { text } = checkedValues(notes, { text: { a: 'x'.repeat(100), b: unread } }, mine);
    expect(problemOf(() => checkRecord(notes, { text: text ?? null }))).toMatchObject({ code: '23514' });
  });

  it('is refused as a text before it is parsed', () => {
    const { text } = checkedValues(notes, { text: 'x'.repeat(601) }, mine);
    expect(problemOf(() => checkRecord(notes, { text: text ?? null }))).toMatchObject({ code: '23514' });
  });

  it('is measured without the white space and the escapes of its text', () => {
    const given = `{ "a": "${'\\u0078'.repeat(80)}" }`;
    const { text } = checkedValues(notes, { text: given }, mine);
    expect(text).toEqual({ a: 'x'.repeat(80) });
    checkRecord(notes, { text: text ?? null });
  });

  it('has more bytes than JSON.stringify may write', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(200), (value, bytes) => {
        expect(isLonger(value, bytes)).toBe(Buffer.byteLength(JSON.stringify(value)) > bytes);
      }),
    );
  });
});

describe('a whole record', () => {
  const kept = newRecord(rooms, whole, defaults);

  it('passes if it keeps every rule', () => {
    expect(() => checkRecord(rooms, kept)).not.toThrow();
  });

  it('may lack a column that a decider fills, until the decision', () => {
    const row = { ...kept, closes: null, like_room: other };
    expect(() => checkRecord(rooms, row, { before: 'create' })).not.toThrow();
    expect(problemOf(() => checkRecord(rooms, row)).code).toBe('23502');
  });

  it('may lack such a column before a change even without the other column, since the record has a value', () => {
    const row = { ...kept, closes: null, like_room: null };
    expect(() => checkRecord(rooms, row, { before: 'change' })).not.toThrow();
    expect(problemOf(() => checkRecord(rooms, row, { before: 'create' })).code).toBe('23502');
    expect(problemOf(() => checkRecord(rooms, { ...kept, name: null }, { before: 'change' })).code).toBe(
      '23502',
    );
  });
});
