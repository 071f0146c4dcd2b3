import { describe, expect, it } from '@jest/globals';
import { outcomeOf } from '@practice/core';
import type { ParsedRequest } from './request.js';
import { asGet, requestInSteps } from './request.js';

const LENGTH = 50_000;

const long = (unit: string): string => unit.repeat(LENGTH);

/** The request of a QUERY with this body, and the number of pauses while it was parsed. */
function parsed(query: string): { readonly request: ParsedRequest; readonly pauses: number } {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const sent = { method: 'QUERY', resource: 'clients', query: '', headers, body: Buffer.from(query) };
  const steps = requestInSteps(asGet(sent));
  for (let pauses = 0; ; pauses += 1) {
    const { done, value } = steps.next();
    if (done === true) return { request: value, pauses };
  }
}

/** The operand of the only filter, which may be the only member of a tree. */
function operandOf(query: string): unknown {
  const [condition] = parsed(query).request.options.conditions;
  const filter = condition?.value.kind === 'tree' ? condition.value.members[0] : condition?.value;
  return filter?.kind === 'filter' && filter.operand;
}

describe('a long query', () => {
  it.each([
    ['parameters', 3, `name=eq.${long('a')}`],
    ['names before a column', LENGTH / 1_000, `${long('a.')}b=eq.1`],
    ['names before an option', LENGTH / 1_000, `${long('a.')}order=b`],
  ])('is parsed in steps: %s', (_, least, query) => {
    expect(parsed(query).pauses).toBeGreaterThanOrEqual(least);
  });

  it.each([
    ['a quoted text', `or=(name.eq."${long('\\"ü\\\\')}")`, { kind: 'value', text: long('"ü\\') }],
    ['a text with spaces', `name=eq.${long('ü+')}`, { kind: 'value', text: long('ü ') }],
    ['a pattern', `name=like.${long('*ü%2B')}`, { kind: 'value', text: long('%ü+') }],
    ['a list', `name=in.("${long('\\,')}",${long('a')})`, { kind: 'list', elements: [long(','), long('a')] }],
  ])('has the same meaning as a short one: %s', (_, query, operand) => {
    expect(operandOf(query)).toEqual(operand);
  });

  it('has one canonical spelling', () => {
    const { canonicalQuery } = parsed(`name=eq.${long("!'()*~ü😀+")}`).request;
    expect(canonicalQuery).toBe(`name=eq.${long('%21%27%28%29%2A~%C3%BC%F0%9F%98%80%20')}`);
  });

  it.each([
    ['a name that does not end', `select="${long('\\a')}`, `line 1, column ${2 * LENGTH + 2}`],
    ['an expression that is too long', `name=match.${long('a')}`, 'it has more than 256 characters'],
    ['an expression of 257 characters', `name=match.${'😀'.repeat(257)}`, 'it has more than 256 characters'],
  ])('is refused as a short one: %s', (_, query, message) => {
    expect(outcomeOf(() => parsed(query))).toMatchObject({ message: expect.stringContaining(message) });
  });

  it('may have an expression of 256 characters, also if each of them is two units of UTF-16', () => {
    expect(operandOf(`name=match.${'😀'.repeat(256)}`)).toMatchObject({ kind: 'value' });
  });
});
