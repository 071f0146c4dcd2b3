// Checks the wording of every Markdown file: node tools/lint/markdown.mjs. Code is not checked.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findings } from './prose.mjs';

const root = join(import.meta.dirname, '..', '..');
const skipped = new Set(['node_modules', 'dist', '.git', '.data', '.cache', 'coverage']);

const found = markdownFiles('.').flatMap(findingsIn);
for (const line of found) process.stderr.write(`${line}\n`);
if (found.length > 0) process.exitCode = 1;

function markdownFiles(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '.' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return skipped.has(entry.name) ? [] : markdownFiles(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}

function findingsIn(file) {
  const text = readFileSync(join(root, file), 'utf8')
    .replace(/^(```|~~~)[^]*?^\1/gm, (block) => block.replace(/[^\n]/g, ' '))
    .replace(/`[^`\n]*`/g, (code) => ' '.repeat(code.length));
  return text
    .split('\n')
    .flatMap((line, index) =>
      findings(line).map(
        ({ found: phrase, instead }) => `${file}:${index + 1}: instead of "${phrase}", ${instead}`,
      ),
    );
}
