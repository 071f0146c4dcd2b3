import { describe, expect, it } from '@jest/globals';
import { oncePer } from './once-per.js';

describe('a value per key', () => {
  it('is made once for each key', () => {
    const made: string[] = [];
    const text = oncePer(new Map<string, string>(), (service) => {
      made.push(service);
      return `SELECT FROM ${service}`;
    });
    const texts = ['clients', 'finance', 'clients'].map(text);
    expect(texts).toEqual(['SELECT FROM clients', 'SELECT FROM finance', 'SELECT FROM clients']);
    expect(made).toEqual(['clients', 'finance']);
  });

  it('is kept if it is null or false', () => {
    const key = {};
    for (const value of [null, false]) {
      let made = 0;
      const of = oncePer(new WeakMap<object, null | boolean>(), () => {
        made += 1;
        return value;
      });
      expect([of(key), of(key), made]).toEqual([value, value, 1]);
    }
  });
});
