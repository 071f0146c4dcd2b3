import { describe, expect, it } from '@jest/globals';
import { textPer } from './statement.js';

describe('a text per key', () => {
  it('is made once for each key', () => {
    const made: string[] = [];
    const text = textPer(new Map<string, string>(), (service) => {
      made.push(service);
      return `SELECT FROM ${service}`;
    });
    const texts = ['clients', 'finance', 'clients'].map(text);
    expect(texts).toEqual(['SELECT FROM clients', 'SELECT FROM finance', 'SELECT FROM clients']);
    expect(made).toEqual(['clients', 'finance']);
  });
});
