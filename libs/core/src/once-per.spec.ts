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
});
