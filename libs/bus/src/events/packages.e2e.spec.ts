import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { stack } from '@practice/testing';
import { lamp, lamps } from './testing/lamps.js';

const { fresh, publish } = lamps();
const run = promisify(execFile);
const root = join(import.meta.dirname, '../../../..');
const typescript = join(root, 'node_modules/typescript/bin/tsc');
const packages = ['core', 'resource', 'contracts', 'bus', 'client-types'];
/** A project outside the repository that has the packed packages installed. */
let project: string;
const contents = new Map<string, string[]>();

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
}

beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'practice-packages-'));
  const modules = join(project, 'node_modules');
  await run(process.execPath, [typescript, '-b', ...packages.map(sourceOf)]);
  for (const name of packages) await install(name, join(modules, '@practice', name));
  for (const name of packages) linkDependencies(name, modules);
  for (const name of ['@types/node']) link(name, modules);
  writeFileSync(join(project, 'package.json'), '{"type":"module"}');
  // The build does not write type declarations, so the compiler writes them for all packages.
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

const sourceOf = (name: string): string => join(root, 'libs', name);

/** Packs a package and extracts the archive, as `npm install <archive>` does. */
async function install(name: string, folder: string): Promise<void> {
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', project], {
    cwd: sourceOf(name),
  });
  const [packed] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
  contents.set(
    name,
    packed.files.map(({ path }) => path),
  );
  mkdirSync(folder, { recursive: true });
  await run('tar', ['-xzf', join(project, packed.filename), '-C', folder, '--strip-components', '1']);
}

/** Links only the declared dependencies, so that an undeclared dependency is missing and fails the test. */
function linkDependencies(name: string, modules: string): void {
  const text = readFileSync(join(modules, '@practice', name, 'package.json'), 'utf8');
  for (const dependency of Object.keys((JSON.parse(text) as Manifest).dependencies ?? {}))
    if (dependency.startsWith('@practice/'))
      expect(packages).toContain(dependency.slice('@practice/'.length));
    else link(dependency, modules, join(root, 'libs', name));
}

const linked = new Set<string>();
function link(name: string, modules: string, dependent = root): void {
  if (linked.has(name)) return;
  linked.add(name);
  mkdirSync(dirname(join(modules, name)), { recursive: true });
  // npm installs a second version of a package in the folder of its dependent.
  const own = join(dependent, 'node_modules', name);
  symlinkSync(existsSync(own) ? own : join(root, 'node_modules', name), join(modules, name));
}

describe.each(packages)('the package %s', (name) => {
  it('contains its compiled files and no tests', () => {
    const files = contents.get(name) ?? [];
    expect(files).toContain('dist/index.d.ts');
    const foreign = files.filter(
      (file) => !/^(package\.json|README\.md|LICENSE|dist\/.*\.(js|d\.ts))$/.test(file),
    );
    expect(foreign.concat(files.filter((file) => /spec|testing/.test(file)))).toEqual([]);
  });
});

describe('a project outside the repository', () => {
  it('compiles against the packages, with verbatimModuleSyntax', async () => {
    writeFileSync(
      join(project, 'subscriber.ts'),
      `import type { Database } from '@practice/client-types';
import type { PracticeEvents } from '@practice/contracts';
import { connect, subscribe, type EventOf } from '@practice/bus';

type Client = Database['public']['Tables']['clients']['Row'];
export const nameOf = (client: Client): string => client.name;
export const dateOf = ({ data }: EventOf<PracticeEvents, 'AppointmentScheduled'>): string => data.date;
const connection = await connect({ url: process.argv[2] ?? '', name: 'outside', logger: console });
await subscribe({ connection, name: 'outside', events: ['ClientRegistered'], handler: ({ data }) => console.log(data.name) });
// @ts-expect-error -- this event does not exist
await subscribe({ connection, name: 'outside', events: ['ClientDreamt'], handler: () => {} });
// @ts-expect-error -- the event has no column of this name
export const dreamOf = ({ data }: EventOf<PracticeEvents, 'AppointmentScheduled'>): string => data.dream;
`,
    );
    const options = {
      module: 'nodenext',
      target: 'es2023',
      strict: true,
      noEmit: true,
      verbatimModuleSyntax: true,
    };
    const compilerOptions = { ...options, skipLibCheck: true, types: ['node'] };
    writeFileSync(
      join(project, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['subscriber.ts'] }),
    );
    const { stdout } = await run(process.execPath, [typescript, '--project', project]).catch(
      (error: unknown) => error as { stdout: string },
    );
    expect(stdout).toBe('');
  });

  it('subscribes to the running system', async () => {
    await publish([lamp('practice', 7)]);
    writeFileSync(
      join(project, 'subscriber.mjs'),
      `import { catalog } from '@practice/contracts';
import { asyncApi, connect, subscribe } from '@practice/bus';
const [url, name, subject] = process.argv.slice(2);
const logger = { info() {}, warn: console.error, error: console.error };
const connection = await connect({ url, name, logger });
const { type, position } = await new Promise((handler) => subscribe({ connection, name, subjects: [subject], handler }));
console.log(JSON.stringify([type, position, catalog.resources.has('clients'), asyncApi([], '1').asyncapi]));
process.exit();
`,
    );
    const args = [stack().natsUrl('admin'), fresh.name, fresh.subjects[0] as string];
    const { stdout } = await run(process.execPath, [join(project, 'subscriber.mjs'), ...args]);
    expect(JSON.parse(stdout)).toEqual(['LampLit', 7, true, '3.0.0']);
  });
});
