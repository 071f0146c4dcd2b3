// npm run change-cost: makes every change of change-cost/changes.mjs in a copy of the tree, and runs the generators, the compiler and the
// specs there. Compares the files and lines written by hand with the budget and with docs/recipes.md (--write updates that page).
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { changes as changesOf } from './changes.mjs';
import { root, run, stage } from '../build/bootstrap.mjs';
import { formatted } from '../generate/bin/formatted.mjs';

const PAGE = 'docs/recipes.md';
const PLACE = /(<!-- change cost: [^>]*-->\n)[^]*?(\n<!-- end -->)/;

/** Folders of this tree that are not copied. */
const LEFT_OUT = ['node_modules', '.git', '.cache', '.data', '.env', '.turbo', 'coverage'];

const read = (path) => readFileSync(join(root, path), 'utf8');
const linesOf = (text) => text.trim().split('\n').length;

const changes = changesOf(read).map((change) => ({
  ...change,
  files: Object.keys(change.creates ?? {}).length,
  lines: Object.values(change.inserts ?? {})
    .flatMap(Object.values)
    .reduce((sum, text) => sum + linesOf(text), 0),
}));

const over = changes.filter(({ budget, files, lines }) => files > budget.files || lines > budget.lines);
if (over.length > 0) fail(`More than the budget: ${over.map(({ name }) => name).join(', ')}`);

const page = await formatted(
  PAGE,
  read(PAGE).replace(PLACE, (_, begin, end) => `${begin}\n${list()}\n${end}`),
);
if (process.argv.includes('--write')) writeFileSync(join(root, PAGE), page);
else if (page !== read(PAGE)) fail(`${PAGE} does not have these numbers: npm run change-cost -- --write`);

const copy = mkdtempSync(join(tmpdir(), 'practice-change-'));
// A stage that fails ends the process.
process.on('exit', () => rmSync(copy, { recursive: true, force: true }));
process.on('SIGTERM', () => process.exit(143));

await stage('A copy of the tree with every change', () => makeChanges(copy));
const inCopy = (program, args, env) => () => run(join(copy, program), args, env, copy).then(() => undefined);
await stage('Generators', inCopy('tools/generate/bin/generate.mjs', []));
await stage('Generated files', requireShown);
const specs = [...new Set(changes.flatMap((change) => change.specs))];
await Promise.all([
  stage('Types', inCopy('node_modules/typescript-native/bin/tsc', ['--project', 'tsconfig.json'])),
  stage(
    'Specs, with new snapshots',
    inCopy('node_modules/jest/bin/jest.js', ['--selectProjects', 'unit', '-w', '1', '-u', ...specs], {
      NODE_OPTIONS: '--experimental-vm-modules --no-warnings',
    }),
  ),
]);

/** Each change must be seen in the files that are generated from it. */
async function requireShown() {
  for (const { name, shows = {} } of changes)
    for (const [file, text] of Object.entries(shows))
      if (!readFileSync(join(copy, file), 'utf8').includes(text))
        throw new Error(`${name}: ${file} does not show ${text}`);
}

function list() {
  return changes
    .map(
      ({ name, files, lines, written }) => `- ${name} (${files}, ${lines})${written ? `: ${written}` : ''}`,
    )
    .join('\n');
}

/** Fills the folder: sources and builds, packages linked as npm links them, and the changes. */
function makeChanges(folder) {
  const filter = (path) => !LEFT_OUT.includes(basename(path));
  cpSync(root, folder, { recursive: true, preserveTimestamps: true, filter });
  for (const { creates, inserts = {}, removes = {}, needsDatabase } of changes) {
    for (const [file, text] of Object.entries({ ...creates, ...needsDatabase })) write(folder, file, text);
    for (const [file, all] of Object.entries(inserts))
      for (const [after, text] of Object.entries(all)) edit(folder, file, after, (line) => `${line}${text}`);
    for (const [file, all] of Object.entries(removes))
      for (const line of all) edit(folder, file, line, () => '');
  }
  link(folder);
}

function write(folder, file, content) {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), content);
}

function edit(folder, file, mark, change) {
  const lines = readFileSync(join(folder, file), 'utf8').split(/(?<=\n)/);
  const index = lines.findIndex((line) => line.includes(mark));
  if (index < 0) fail(`${file} has no line with ${mark}`);
  lines[index] = change(lines[index]);
  writeFileSync(join(folder, file), lines.join(''));
}

/** Links the copy's packages: third-party packages come from this tree, our own packages from the copy. */
function link(folder) {
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '@practice'), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== '@practice' && name !== '.cache')
      symlinkSync(join(root, 'node_modules', name), join(modules, name));
  for (const group of ['libs', 'apps', 'tools'])
    for (const name of readdirSync(join(folder, group))) {
      if (!existsSync(join(folder, group, name, 'package.json'))) continue;
      const { name: full } = JSON.parse(readFileSync(join(folder, group, name, 'package.json'), 'utf8'));
      symlinkSync(join(folder, group, name), join(modules, full));
      const own = join(root, group, name, 'node_modules');
      if (existsSync(own)) symlinkSync(own, join(folder, group, name, 'node_modules'));
    }
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
