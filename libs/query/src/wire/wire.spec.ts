import { describe, expect, it } from '@jest/globals';
import { allSteps, outcomeOf } from '@practice/core';
import fc from 'fast-check';
import { parseRequest, type ParsedRequest } from '../parse/request.js';
import { queryStrings } from '../testing/query-strings.js';
import { requestOf, type Sample } from '../testing/sample.js';
import { rowsFromWire, rowsToWire } from './wire.js';

function parsed(query: string, sample: Sample): ParsedRequest | null {
  const request = outcomeOf(() => parseRequest(requestOf(query, sample)));
  return 'options' in request ? request : null;
}

const thereAndBack = (rows: ParsedRequest['rows']) => allSteps(rowsFromWire(allSteps(rowsToWire(rows))));

/** The request after conversion to JSON and back. */
const travelled = (request: ParsedRequest): ParsedRequest => ({
  ...(JSON.parse(JSON.stringify({ ...request, rows: [] })) as ParsedRequest),
  rows: thereAndBack(request.rows),
});

describe('the wire form', () => {
  it.each(['GET', 'HEAD', 'PATCH', 'PUT', 'DELETE'])('gives back any query of a %s', (method) => {
    let read = 0;
    fc.assert(
      fc.property(queryStrings, (query) => {
        const request = parsed(query, { method, body: {} });
        if (request === null) return;
        read += 1;
        expect(travelled(request)).toEqual(request);
      }),
      { numRuns: 2_000 },
    );
    expect(read).toBeGreaterThan(100);
  });

  it('gives back any JSON body with the digits of its numbers', () => {
    const number = fc.constantFrom('1', '-0', '1.50', '1e400', '12345678901234567890', '0.1', '1E5');
    const value = fc.oneof(number, fc.json(), fc.json({ maxDepth: 3 }));
    const name = fc.oneof(fc.constantFrom('a', 'b', '__proto__', '1'), fc.string());
    const object = fc
      .array(fc.tuple(name, value), { maxLength: 4 })
      .map((members) => `{${members.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(',')}}`);
    const body = fc.oneof(
      object,
      fc.array(object, { maxLength: 4 }).map((rows) => `[${rows.join(',')}]`),
    );
    fc.assert(
      fc.property(body, fc.constantFrom('', 'columns=a,b'), (text, query) => {
        const request = parsed(query, { method: 'POST', body: text });
        if (request === null) return;
        const there = travelled(request);
        expect(there).toEqual(request);
        expect(there.rows.map((row) => Object.keys(row))).toEqual(
          request.rows.map((row) => Object.keys(row)),
        );
      }),
      { numRuns: 2_000 },
    );
  });

  it('sends the column names of a table once', () => {
    const name = 'x'.repeat(1000);
    const csv = `${name}\n${'1\n'.repeat(500)}`;
    const { rows } = parseRequest(
      requestOf('', { method: 'POST', body: csv, headers: { 'content-type': 'text/csv' } }),
    );
    expect(allSteps(rowsToWire(rows)).length).toBeLessThan(csv.length * 3);
    expect(thereAndBack(rows)).toEqual(rows);
  });

  it('contains a long document as it was sent, and is read in steps', () => {
    const document = `[${'{"a" : [1.0,"\\u0041"]},'.repeat(10_000)}1]`;
    const { rows } = parseRequest(requestOf('', { method: 'POST', body: `{"a":${document},"b":2}` }));
    const message = allSteps(rowsToWire(rows));
    expect(message).toBe(`[{"a":${document},"b":2}]`);
    const steps = [...rowsFromWire(message)];
    expect(steps.length).toBeGreaterThan(20);
    expect(thereAndBack(rows)).toEqual(rows);
  });
});
