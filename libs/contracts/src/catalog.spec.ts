// Rules that every resource must keep, checked column by column. The tests run for every resource of the catalog, so also for new ones.

import { describe, expect, it } from '@jest/globals';
import { outcomeOf, type Problem } from '@practice/core';
import { checkConstraints, checkName, formats, newRecord, rulesOf, visibleColumns } from '@practice/resource';
import type { Column, Resource, Row } from '@practice/resource';
import { catalog, resourcesOf } from './catalog.js';

const id = '018f0000-0000-7000-8000-000000000001';
const practice = '018f0000-0000-7000-8000-0000000000ff';
const now = '2026-05-01T08:00:00+00:00';

/** For each kind: a value and its canonical form, and a malformed value with its SQLSTATE. */
const examples: Record<string, { given: unknown; kept: unknown; malformed: unknown; code: string }> = {
  uuid: { given: id.toUpperCase(), kept: id, malformed: 'x', code: '22P02' },
  text: { given: 'Zoe\u0308', kept: 'Zo\u00eb', malformed: 'a\0b', code: '22P05' },
  integer: { given: ' 7 ', kept: 7, malformed: 'seven', code: '22P02' },
  bigint: { given: ' 7 ', kept: 7, malformed: 'seven', code: '22P02' },
  decimal: { given: 7.5, kept: '7.50', malformed: '7,50', code: '22P02' },
  boolean: { given: 'yes', kept: true, malformed: 'maybe', code: '22P02' },
  date: { given: '2026-5-4', kept: '2026-05-04', malformed: '2026-02-30', code: '22008' },
  timeOfDay: { given: '9:00', kept: '09:00', malformed: '25:00', code: '22008' },
  timestamp: { given: '2026-05-04', kept: '2026-05-04T00:00:00+00:00', malformed: 'x', code: '22007' },
  texts: { given: '{a,"b c"}', kept: ['a', 'b c'], malformed: [1], code: '22P02' },
  json: { given: '{"b":1,"a":2}', kept: { a: 2, b: 1 }, malformed: [1], code: '22P02' },
};

/** A value that keeps the column's own rules, and its canonical form. */
function exampleOf({ kind, oneOf, format, after }: Column): { given: unknown; kept: unknown } {
  if (oneOf !== undefined) return { given: oneOf.at(-1), kept: oneOf.at(-1) };
  if (format !== undefined) return { given: formats[format].example(0), kept: formats[format].example(0) };
  if (kind.name === 'timeOfDay' && after !== undefined) return { given: '23:30:00', kept: '23:30' };
  if (kind.name === 'decimal') return { given: 7.5, kept: `7.${'5'.padEnd(scaleOf(kind), '0')}` };
  return examples[kind.name] ?? { given: undefined, kept: undefined };
}

const scaleOf = ({ sqlType }: Column['kind']): number => Number(/,(\d+)/.exec(sqlType)?.[1]);

/** Values that break one of the column's rules. */
function breaking({ oneOf, min, max, not, notBlank, format, maxBytes }: Column): unknown[] {
  return [
    oneOf && 'something else',
    min !== undefined && min - 1,
    max !== undefined && max + 1,
    not,
    notBlank && ' \n',
    format && 'not an address',
    maxBytes !== undefined && { text: 'x'.repeat(maxBytes) },
  ].filter((value) => value !== undefined && value !== false);
}

/** Whether the decider fills the column in every new record, because the column that it is computed from is required. */
const isAlwaysFilled = ({ columns: all }: Resource, { requiredUnless }: Column): boolean =>
  [requiredUnless ?? []].flat().some((other) => all[other]?.required === true);

const own = (resource: Resource) => visibleColumns(resource).filter(([, column]) => column.readOnly !== true);

/** The columns that the service fills in a record that callers do not create. */
const given = (resource: Resource) =>
  visibleColumns(resource).filter(
    ([name]) => !['id', 'therapist_id', 'created_at', 'updated_at'].includes(name),
  );

/** The smallest body that the resource accepts. */
const bodyOf = (resource: Resource): Record<string, unknown> =>
  Object.fromEntries(
    (resource.changeOnly === true || resource.readOnly === true ? given(resource) : own(resource))
      .filter(([, column]) => column.required === true || column.requiredUnless !== undefined)
      .map(([name, column]) => [name, exampleOf(column).given]),
  );

const created = (resource: Resource, but: Record<string, unknown> = {}): Row =>
  newRecord(resource, { ...bodyOf(resource), ...but }, { therapistId: practice, id: () => id, now });

const refusal = (resource: Resource, but: Record<string, unknown>): Problem =>
  outcomeOf(() => created(resource, but)) as Problem;

const resources = [...catalog.resources.values()];
const columns = resources.flatMap((resource) =>
  own(resource).map(([name, column]) => ({ at: `${resource.name}.${name}`, resource, name, column })),
);

describe.each(columns)('$at', ({ resource, name, column }) => {
  const { given, kept } = exampleOf(column);
  const but = (value: unknown) => refusal(resource, { [name]: value });

  it('has a kind with an example in this suite', () => {
    expect(examples).toHaveProperty(column.kind.name);
  });

  it('stores the canonical form of a value', () => {
    expect(created(resource, { [name]: given })[name]).toEqual(kept);
  });

  it('rejects a malformed value', () => {
    const { malformed, code } = examples[column.kind.name] ?? {};
    expect(but(malformed).code).toBe(code);
  });

  it('is null, the default or required if it is omitted, according to its definition', () => {
    const { [name]: _, ...rest } = bodyOf(resource);
    const step = () => newRecord(resource, rest, { therapistId: practice, id: () => id, now })[name];
    if (isAlwaysFilled(resource, column)) expect(step()).toBeNull();
    else if (column.required === true || column.requiredUnless !== undefined) expect(step).toThrow('23502');
    else expect(step()).toEqual(column.default ?? null);
  });

  it(`is ${column.nullable ? 'null' : 'rejected'} if the body contains null`, () => {
    if (column.nullable || isAlwaysFilled(resource, column))
      expect(created(resource, { [name]: null })[name]).toBeNull();
    else expect(but(null).code).toBe('23502');
  });

  it('rejects a value that breaks one of its rules, and names the column', () => {
    const constraint = checkName(resource, name);
    for (const value of breaking(column)) {
      const { code, message } = but(value);
      expect({ value, code }).toEqual({ value, code: '23514' });
      expect(message).toMatch(new RegExp(`^${name} `));
    }
    const hasRules = rulesOf(column).length > 0;
    expect(checkConstraints(resource).some(([known]) => known === constraint)).toBe(hasRules);
    expect(breaking(column).length > 0 || column.after !== undefined).toBe(hasRules);
  });
});

const isFreeText = ({ kind, oneOf, format }: Column): boolean =>
  kind.name === 'text' && oneOf === undefined && format === undefined;

describe.each(columns.filter(({ column }) => isFreeText(column)))(
  'the text $at',
  ({ resource, name, column }) => {
    const limit = column.maxLength ?? 65_536;

    it('may be as long as its limit, counted in characters', () => {
      const longest = '\u{1F600}'.repeat(limit);
      expect(created(resource, { [name]: longest })[name]).toBe(longest);
    });

    it('is rejected if it is one character longer', () => {
      expect(refusal(resource, { [name]: 'x'.repeat(limit + 1) }).code).toBe('22001');
    });
  },
);

const ordered = columns.flatMap(({ column: { after }, ...rest }) =>
  after === undefined ? [] : [{ ...rest, after }],
);

it('has columns that must come after others', () => {
  expect(ordered.map(({ at }) => at)).toEqual([
    'appointment_series.end_time',
    'appointments.end_time',
    'business_hours.close_time',
  ]);
});

describe.each(ordered)('$at', ({ resource, name, after }) => {
  it(`must be after ${after}`, () => {
    expect(refusal(resource, { [name]: bodyOf(resource)[after] }).code).toBe('23514');
  });
});

describe.each(resources.map((resource) => ({ name: resource.name, resource })))('$name', ({ resource }) => {
  it('is a plural noun in snake_case, and the name of its aggregate is unique', () => {
    expect(resource.name).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(resource.aggregate).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(resource.service).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(resources.filter(({ aggregate }) => aggregate === resource.aggregate)).toEqual([resource]);
  });

  it('is owned by the service that lists it', () => {
    expect(resourcesOf(resource.service)).toContain(resource);
  });

  it('has one event that begins a stream, and one that ends it unless its record stays for ever', () => {
    const shapes = Object.values(resource.events);
    expect(shapes.filter((shape) => shape === 'created')).toHaveLength(1);
    const { changeOnly, fromStart, appendOnly, readOnly, deletable, isUndoable } = resource;
    const isKept = appendOnly === true || (readOnly === true && deletable !== true);
    const staysForEver = (changeOnly === true && fromStart !== true) || (isKept && isUndoable === false);
    expect(shapes.filter((shape) => shape === 'deleted')).toHaveLength(staysForEver ? 0 : 1);
  });

  it('has an event for an undo, unless its changes cannot be undone', () => {
    const shapes = Object.values(resource.events);
    expect(shapes.filter((shape) => shape === 'restored')).toHaveLength(
      resource.isUndoable === false ? 0 : 1,
    );
  });

  it('has events named after its aggregate', () => {
    const pascal = resource.aggregate.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
    for (const type of Object.keys(resource.events)) {
      expect(type).toMatch(/^([A-Z][a-z]+)+$/);
      expect(type.startsWith(pascal)).toBe(true);
    }
  });

  it('has an event for a change of every column that can change', () => {
    const held = new Set(
      Object.values(resource.events).flatMap((shape) => (typeof shape === 'string' ? [] : shape)),
    );
    const silent = own(resource).filter(([name, { fixed }]) => fixed !== true && !held.has(name));
    // A record that only the service changes may have columns that never change.
    const isChanged = resource.readOnly !== true;
    expect(silent.map(([name]) => name)).toEqual(
      resource.appendOnly === true ? expect.anything() : isChanged ? [] : expect.anything(),
    );
  });

  it('has constraints and indexes with unique names that begin with its own', () => {
    const rules = [...(resource.uniques ?? []), ...(resource.exclusions ?? [])].map(({ name }) => name);
    const names = [...rules, ...checkConstraints(resource).map(([name]) => name)];
    expect(names.filter((name) => !name.startsWith(`${resource.name}_`))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });

  it('matches the reviewed snapshot', () => {
    expect(outlineOf(resource)).toMatchSnapshot();
  });
});

describe('the catalog', () => {
  it('has relations between existing columns', () => {
    for (const { name, from, column, to } of catalog.relations) {
      expect(name).toBe(`${from}_${column}_fkey`);
      expect(catalog.resources.get(from)?.columns[column]?.kind.name).toBe('uuid');
      expect(catalog.resources.get(to)?.columns['id'].kind.name).toBe('uuid');
    }
    expect(new Set(catalog.relations.map(({ name }) => name)).size).toBe(catalog.relations.length);
  });

  it('has each event type once', () => {
    const types = resources.flatMap(({ events }) => Object.keys(events));
    expect(types.filter((type, index) => types.indexOf(type) !== index)).toEqual([]);
  });

  it('has one message for each problem code of a rule', () => {
    const problems = resources.flatMap(({ uniques = [], exclusions = [] }) =>
      [...uniques, ...exclusions].flatMap(({ problem }) => (problem === undefined ? [] : [problem])),
    );
    for (const { code, message } of problems) {
      expect(problems.filter((problem) => problem.code === code && problem.message !== message)).toEqual([]);
    }
  });

  it('has the reviewed relations', () => {
    expect(catalog.relations.map(({ from, column, to }) => `${from}.${column} -> ${to}`)).toMatchSnapshot();
  });
});

/** A definition in a form for review. */
function outlineOf({ columns: all, ...rest }: Resource): object {
  const described = Object.entries(all).map(([name, { kind, nullable, description: _, ...rules }]) => [
    name,
    `${kind.sqlType}${nullable ? '' : ' not null'}${Object.keys(rules).length === 0 ? '' : ` ${JSON.stringify(rules)}`}`,
  ]);
  const { numbered, ledger } = rest;
  return {
    ...rest,
    ...(numbered !== undefined && { numbered: { ...numbered, by: numbered.by.name } }),
    ...(ledger?.balances !== undefined && {
      ledger: { ...ledger, balances: { ...ledger.balances, in: ledger.balances.in.name } },
    }),
    columns: Object.fromEntries(described) as object,
  };
}
