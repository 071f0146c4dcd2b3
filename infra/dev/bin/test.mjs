// npm test: everything that must hold, from a bare clone. Arguments go to Jest: npm test -- apps/gateway
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { bootstrap, root, run, stage } from './bootstrap.mjs';

const tool = (path) => join(root, 'node_modules', path);

await bootstrap({ tools: true });
await stage('Types', () => run(tool('typescript/bin/tsc'), ['--project', 'tsconfig.json']).then(nothing));
await stage('Lint', () => run(tool('eslint/bin/eslint.js'), ['.', '--max-warnings=0']).then(nothing));
await stage('Wording', () => run(join(root, 'infra/lint/markdown.mjs'), []).then(nothing));
await stage('Boundaries', () =>
  run(tool('dependency-cruiser/bin/dependency-cruise.mjs'), [
    ...['--config', '.dependency-cruiser.cjs', 'apps', 'libs', 'infra', 'bench'],
  ]).then(nothing),
);
await stage('Format', () =>
  run(tool('prettier/bin/prettier.cjs'), ['--check', '.', '--log-level=warn']).then(nothing),
);
await stage('Change cost', () => run(join(root, 'infra/dev/bin/change-cost.mjs'), []).then(nothing));
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
