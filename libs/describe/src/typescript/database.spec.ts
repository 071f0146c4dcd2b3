import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { catalog, functions } from '@practice/contracts';
import { databaseTypes } from './database.js';

/** The text without the characters that Prettier adds or removes. */
const bare = (source: string): string => source.replace(/[\s;,|]+/g, '');

describe('the types of @practice/client-types', () => {
  it('match the definitions (`npm run generate` writes them)', () => {
    const written = readFileSync(new URL('../../../client-types/src/database.ts', import.meta.url), 'utf8');
    expect(bare(written)).toBe(bare(databaseTypes(catalog, [...functions.values()])));
  });

  it('omit internal columns', () => {
    expect(databaseTypes(catalog, [...functions.values()])).not.toMatch(/\bseat\b/);
  });
});
