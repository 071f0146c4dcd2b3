import { describe, expect, it } from '@jest/globals';
import { canonicalJson } from './canonical-json.js';

describe('canonical JSON', () => {
  it('matches the examples of RFC 8785', () => {
    const sample = JSON.parse(
      '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}',
    ) as unknown;
    expect(canonicalJson(sample)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it('sorts members by the UTF-16 units of their names', () => {
    const names = ['€', '\r', '\ufb33', '1', '\u{1f600}', '\u0080', 'ö'];
    const sorted = Object.keys(
      JSON.parse(canonicalJson(Object.fromEntries(names.map((name) => [`-${name}`, 0])))) as object,
    );
    expect(sorted).toEqual(['-\r', '-1', '-\u0080', '-ö', '-€', '-\u{1f600}', '-\ufb33']);
  });
});
