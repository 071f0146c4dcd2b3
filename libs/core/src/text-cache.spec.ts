import { describe, expect, it } from '@jest/globals';
import { TextCache } from './text-cache.js';

function counted() {
  const cache = new TextCache<{ readonly text: string }>();
  let derived = 0;
  const get = (text: string) =>
    cache.get(text, () => {
      derived += 1;
      return { text };
    });
  return { get, derived: () => derived };
}

describe('a cache of values derived from texts', () => {
  it('derives the value of a text once', () => {
    const { get, derived } = counted();
    expect(get('a')).toBe(get('a'));
    expect(get('b')).toEqual({ text: 'b' });
    expect(derived()).toBe(2);
  });

  it('does not keep the values of long texts', () => {
    const { get, derived } = counted();
    const long = 'x'.repeat(2_001);
    get(long);
    get(long);
    expect(derived()).toBe(2);
  });

  it('keeps only the most recently used values when there are too many', () => {
    const { get, derived } = counted();
    const used = 'used';
    for (let index = 0; index < 5_000; index += 1) {
      get(String(index));
      get(used);
    }
    expect(derived()).toBe(5_001);
    get('0');
    expect(derived()).toBe(5_002);
  });

  it('caches nothing when the value cannot be derived', () => {
    const cache = new TextCache();
    const fail = (): never => {
      throw new Error('malformed');
    };
    expect(() => cache.get('a', fail)).toThrow('malformed');
    expect(cache.get('a', () => ({ ok: true }))).toEqual({ ok: true });
  });
});
