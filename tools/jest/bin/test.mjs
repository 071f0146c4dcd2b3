// npm test: everything that must hold, from a bare clone. Arguments go to Jest: npm test -- apps/gateway
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { bootstrap, root, run, stage } from '../../build/bootstrap.mjs';

const tool = (path) => join(root, 'node_modules', path);
const cruised = ['apps', 'libs', 'tools'];

await bootstrap({ tools: true });
/** Prettier's answer depends on the file, the options and its version, which are the key: unchanged files are not formatted again. */
const unchanged = ['--cache', '--cache-strategy=content', `--cache-location=${tool('.cache/prettier.json')}`];
const check = (title, program, ...args) => stage(title, () => run(program, args).then(nothing));
const boundaries = (title, rules) =>
  check(title, tool('dependency-cruiser/bin/dependency-cruise.mjs'), '--config', rules, ...cruised);
// Two at a time: each uses one processor.
await Promise.all([
  check('Types and lint', join(root, 'tools/lint/types-and-lint.mjs')).then(() =>
    check('Wording', join(root, 'tools/lint/markdown.mjs')),
  ),
  boundaries('Boundaries', '.dependency-cruiser.cjs')
    .then(() => boundaries('Folders', '.dependency-cruiser.folders.cjs'))
    .then(() =>
      check('Format', tool('prettier/bin/prettier.cjs'), '--check', '.', '--log-level=warn', ...unchanged),
    )
    .then(() => check('Change cost', join(root, 'tools/change-cost/change-cost.mjs')))
    .then(() => check('Weight', join(root, 'tools/weight/weight.mjs'))),
]);
process.stdout.write('\n');
specs(process.argv.slice(2));

function nothing() {}

/** Jest speaks for itself: its summary is the last thing shown, and its status is this command's. */
function specs(args) {
  const jest = spawn(
    process.execPath,
    ['--experimental-vm-modules', '--no-warnings', tool('jest/bin/jest.js'), '--ci', ...args],
    { cwd: root, stdio: 'inherit', env: { ...process.env, PRACTICE_BUILT: 'yes' } },
  );
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => jest.kill(signal));
  jest.once('exit', (code) => process.exit(code ?? 1));
}
