// Runs the conformance suite of the Model Context Protocol with its own program.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const program = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/dist/index.js');
const dataUrl = (text: string): string => `data:text/javascript,${encodeURIComponent(text)}`;
/** A replacement for `fs`: the program imports `globSync`, which Node 20 lacks, for a command that is not used here. */
const files = dataUrl(`export * from 'node:fs'; export const globSync = () => [];`);
const hooks = dataUrl(`export const resolve = (name, context, next) =>
  name === 'fs' && String(context.parentURL).includes('/@modelcontextprotocol/conformance/')
    ? { url: ${JSON.stringify(files)}, shortCircuit: true }
    : next(name, context);`);
const shim = dataUrl(`import { register } from 'node:module'; register(${JSON.stringify(hooks)});`);

/** A check of a scenario, as the suite reports it. */
export interface ConformanceCheck {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

/**
 * Runs the suite. Resolves to the checks of each folder of results. The name of a folder is its scenario and a time.
 * @param args the suite's command and its options
 * @param onOutput gets the whole output of the suite so far
 */
export async function conformance(
  args: readonly string[],
  onOutput: (printed: string) => void = () => undefined,
): Promise<ReadonlyMap<string, readonly ConformanceCheck[]>> {
  const folder = await mkdtemp(join(tmpdir(), 'practice-conformance-'));
  const suite = spawn(process.execPath, ['--import', shim, program, ...args, '--output-dir', folder]);
  let printed = '';
  suite.stdout.on('data', (data: Buffer) => onOutput((printed += data.toString())));
  suite.stderr.resume();
  await once(suite, 'close');
  const names = await readdir(folder);
  const results = await Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name, 'checks.json'), 'utf8');
      return [name, JSON.parse(text) as ConformanceCheck[]] as const;
    }),
  );
  await rm(folder, { recursive: true });
  return new Map(results);
}
