import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { operatorsList } from './operators-table.js';

const page = readFileSync(new URL('../../../docs/api/reading.md', import.meta.url), 'utf8');

/** Markdown without the padding that Prettier adds to tables. */
const bare = (markdown: string): string => markdown.replace(/ +/g, ' ').replace(/-{3,}/g, '---').trim();

describe('the operators in docs/api/reading.md', () => {
  it('match the dialect (`npm run generate` writes them)', () => {
    const table = /<!-- operators: [^>]*-->([^]*?)<!-- end -->/.exec(page)?.[1] ?? '';
    expect(bare(table)).toBe(bare(operatorsList()));
  });
});
