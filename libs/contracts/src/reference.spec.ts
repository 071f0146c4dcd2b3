import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { catalog } from './catalog.js';
import { referenceOf } from './reference.js';
import { bare } from './testing/markdown.js';

const page = readFileSync(new URL('../../../docs/resources.md', import.meta.url), 'utf8');

describe('docs/resources.md', () => {
  it.each([...catalog.resources.values()])('describes $name according to its definition', (resource) => {
    const place = new RegExp(`<!--${resource.name}-->([^]*?)<!--end-->`).exec(page);
    // `npm run generate` writes this part of the page.
    expect(bare(place?.[1] ?? '')).toEqual(bare(referenceOf(resource)));
  });

  it('has one section for each resource, and each text once', () => {
    const sections = page.split(/^## /m).slice(1);
    const titles = sections.map((section) => section.split('\n')[0]);
    expect(titles.sort()).toEqual([...catalog.resources.keys(), 'webhook_deliveries'].sort());
    const sentences = page
      .replaceAll(/<!--[a-z_]+-->[^]*?<!--end-->/g, '')
      .split('\n')
      .filter((line) => /\w{3}.* \w{3}/.test(line) && !line.startsWith('|'));
    expect(sentences.filter((line, index) => sentences.indexOf(line) !== index)).toEqual([]);
    for (const section of sections)
      expect(/<!--([a-z_]+)-->/.exec(section)?.[1] ?? 'webhook_deliveries').toBe(section.split('\n')[0]);
  });
});
