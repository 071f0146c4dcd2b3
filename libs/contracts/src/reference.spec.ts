import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { catalog } from './catalog.js';
import { referenceOf } from './reference.js';

const page = readFileSync(new URL('../../../docs/resources.md', import.meta.url), 'utf8');

/** Without what Prettier may add: the padding of tables and the length of their rules. */
const bare = (markdown: string): string[] =>
  markdown
    .split('\n')
    .map((line) => line.replace(/ +/g, ' ').replace(/-{3,}/g, '---').trim())
    .filter((line) => line !== '');

describe('docs/resources.md', () => {
  it.each([...catalog.resources.values()])('says of $name what its definition says', (resource) => {
    const place = new RegExp(`<!-- ${resource.name}: [^>]*-->([^]*?)<!-- end -->`).exec(page);
    // `npm run generate` writes it.
    expect(bare(place?.[1] ?? '')).toEqual(bare(referenceOf(resource, catalog)));
  });
});
