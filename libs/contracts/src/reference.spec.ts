import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { catalog } from './catalog.js';
import { referenceOf } from './reference.js';
import { bare } from './testing/markdown.js';

const page = readFileSync(new URL('../../../docs/resources.md', import.meta.url), 'utf8');

describe('docs/resources.md', () => {
  it.each([...catalog.resources.values()])('says of $name what its definition says', (resource) => {
    const place = new RegExp(`<!-- ${resource.name}: [^>]*-->([^]*?)<!-- end -->`).exec(page);
    // `npm run generate` writes it.
    expect(bare(place?.[1] ?? '')).toEqual(bare(referenceOf(resource, catalog)));
  });
});
