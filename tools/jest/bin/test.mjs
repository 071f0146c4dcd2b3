// npm test: all checks and all specs, from a bare clone. Arguments go to Jest: npm test -- apps/gateway
import { execFileSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { arch, availableParallelism, platform } from 'node:os';
import { delimiter, join } from 'node:path';
import { installed, root } from '../../build/bootstrap.mjs';
import { turbo } from '../../build/turbo.mjs';
import { resultsFolder } from '../results.mjs';
import { summary } from '../summary.mjs';

const checks = [
  'types',
  'lint',
  'boundaries',
  'format:check',
  'wording',
  'generate:check',
  'change-cost',
  'weight',
];
const specs = ['unit', 'stack'];
/** Programs that some specs run. Without them, the specs are skipped. */
const programs = [
  ...['zsh', 'chromium-headless-shell', 'chromium', 'prometheus', 'promtool', 'kubectl'],
  ...['redis-server', 'nats-server'],
];

/** The parts of the machine on which the results of specs depend: turbo uses them as an input. */
function machine() {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/bin'];
  const found = programs.filter((name) => folders.some((folder) => existsSync(join(folder, name))));
  return [process.version, platform(), arch(), process.getuid?.() === 0, newestTag(), ...found].join(' ');
}

/** The newest release, from which the upgrade test starts. */
function newestTag() {
  try {
    const options = { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] };
    return execFileSync('git', ['describe', '--tags', '--abbrev=0'], options).trim();
  } catch {
    return '';
  }
}

const options = [`--concurrency=${availableParallelism()}`, '--continue=dependencies-successful'];
const run = (tasks, args = []) =>
  turbo(['run', ...tasks, ...options, ...args], { PRACTICE_MACHINE: machine() });

await installed({ tools: true });
// Removes results of an earlier run: turbo restores the results of every task that it does not run again.
rmSync(resultsFolder, { recursive: true, force: true });
const args = process.argv.slice(2);
// With arguments, the checks run separately: turbo passes the arguments to every task of a run.
const status = args.length === 0 ? await run([...checks, ...specs]) : await run(checks);
process.exitCode = args.length > 0 && status === 0 ? await run(specs, ['--', ...args]) : status;
for (const line of summary(specs, process.exitCode === 0)) process.stdout.write(`${line}\n`);
