// npm run weight: the lines of source in each package, and the share of the domain. Exits with 1 if they exceed the budget.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The lines of source that the project may have. A commit that raises it gives the reason. */
const BUDGET = 98_044;
const DOMAIN = ['apps/scheduling', 'apps/clients', 'apps/clinical-notes', 'apps/finance'];

const root = join(import.meta.dirname, '..', '..');
const isSource = (file) =>
  /\.(ts|mjs)$/.test(file) &&
  !/\.spec\.ts$|(^|\/)testing\//.test(file) &&
  file !== 'libs/client-types/src/database.ts';
const packageOf = (file) => {
  const [first, second] = file.split('/');
  if (second === undefined) return '(root)';
  return ['apps', 'libs', 'infra', 'tools'].includes(first) ? `${first}/${second}` : first;
};

const listed = (...options) =>
  execFileSync('git', ['ls-files', ...options], { cwd: root, encoding: 'utf8' }).split('\n');
const files = listed('--cached', '--others', '--exclude-standard', '--deduplicate');
const deleted = new Set(listed('--deleted'));
const lines = new Map();
for (const file of files.filter((name) => isSource(name) && !deleted.has(name))) {
  const count = readFileSync(join(root, file), 'utf8').split('\n').length - 1;
  lines.set(packageOf(file), (lines.get(packageOf(file)) ?? 0) + count);
}

const sum = (counts) => counts.reduce((all, count) => all + count, 0);
const total = sum([...lines.values()]);
const domain = sum(DOMAIN.map((name) => lines.get(name) ?? 0));
const row = (count, title) => console.log(`${count.toLocaleString('en').padStart(8)}  ${title}`);
for (const [name, count] of [...lines].sort(([, one], [, other]) => other - one)) row(count, name);
row(total, `in all, of ${BUDGET.toLocaleString('en')}`);
row(domain, `of the domain: ${((domain / total) * 100).toFixed(1)} %`);
if (total > BUDGET) {
  console.error(
    `The source has ${total - BUDGET} lines more than its budget. Make it smaller, or raise BUDGET in tools/weight/weight.mjs and give the reason in the commit.`,
  );
  process.exitCode = 1;
}
