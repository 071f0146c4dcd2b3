import { beforeAll, expect, it } from '@jest/globals';
import { patient } from '@practice/testing';
import fc from 'fast-check';
import { related } from './attacks.js';
import { changeOf, creatable, rowOf, settable } from './rows.js';
import { twoPractices, type TwoPractices } from './two-practices.js';

/** Values are drawn as numbers, because the values themselves are known only once both practices exist. */
interface Draw {
  readonly resource: number;
  readonly method: string;
  readonly parts: readonly (readonly [number, number, number])[];
  readonly prefer: readonly string[];
  readonly body: readonly (readonly [number, number])[];
}

const draws = fc.record<Draw>({
  resource: fc.nat(),
  method: fc.constantFrom('GET', 'GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE'),
  parts: fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat()), { maxLength: 5 }),
  prefer: fc.subarray([
    'return=representation',
    'count=exact',
    'resolution=merge-duplicates',
    'resolution=ignore-duplicates',
    'tx=rollback',
    'missing=default',
  ]),
  body: fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 4 }),
});

/** Random requests with foreign ids in any place: the answers contain nothing of the other practice, and its records do not change. */
export function randomAttacks(origin: () => string | undefined, numRuns: number): void {
  let two: TwoPractices;
  beforeAll(async () => {
    two = await twoPractices(origin());
  });

  it('no request reveals or changes anything of the other practice', async () => {
    const before = await two.theirs();
    await fc.assert(
      fc.asyncProperty(draws, async (draw) => {
        const { path, body } = requestOf(draw, two);
        const given = {
          method: draw.method,
          ...(draw.prefer.length > 0 && { headers: { prefer: draw.prefer.join(',') } }),
          ...(body !== undefined && { body }),
        };
        const { status } = await patient(async () => {
          const answer = await two.mine.practice.rest(path, given);
          two.seesNoText(answer, `${path} ${JSON.stringify(body)}`);
          return answer;
        });
        expect(status).toBeLessThan(500);
      }),
      { numRuns, endOnFailure: true },
    );
    expect(await two.theirs()).toBe(before);
  });
}

const pick = <T>(items: readonly T[], at: number): T => items[at % items.length] as T;

function requestOf(draw: Draw, two: TwoPractices): { path: string; body: unknown } {
  const resource = pick(creatable, draw.resource);
  const columns = ['id', 'therapist_id', ...settable(resource).map(([name]) => name)];
  const near = related(resource);
  const values = valuesOf(two);
  const forms = [
    (column: string, value: string) => `${column}=eq.${value}`,
    (column: string, value: string) => `${column}=not.in.(${value})`,
    (column: string, value: string) => `or=(${column}.eq.${value},id.not.is.null)`,
    (column: string, value: string) => `${column}=gte.${value}`,
    (column: string) => `order=${column}.desc`,
    (column: string) => `select=id,${column},${near.map((name) => `${name}(*)`).join(',')}`,
    (column: string, value: string) =>
      near[0] === undefined
        ? `${column}=neq.${value}`
        : `select=*,${near[0]}!inner(*)&${near[0]}.id=neq.${value}`,
    () => 'select=*,count()',
  ];
  const query = draw.parts.map(([form, column, value]) =>
    pick(forms, form)(pick(columns, column), pick(values, value)),
  );
  const isWrite = ['POST', 'PATCH', 'PUT'].includes(draw.method);
  const given = draw.body.map(([column, value]) => [pick(columns, column), pick(values, value)]);
  const base =
    draw.method === 'PATCH'
      ? changeOf(resource)
      : rowOf(resource, draw.resource % 7, { ids: two.mine.ids, mark: 'x' });
  return {
    path: `${resource.name}?${query.join('&')}`,
    body: isWrite ? { ...base, ...(Object.fromEntries(given) as object) } : undefined,
  };
}

/** The values to draw from, most of them from the other practice. */
function valuesOf({ mine, other }: TwoPractices): string[] {
  return [
    other.practice.therapistId,
    ...Object.values(other.ids).flat(),
    Object.values(mine.ids)[0]?.[0] ?? '',
  ];
}
