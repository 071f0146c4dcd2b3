// The command line of the MCP Inspector, run by its own program.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const program = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/inspector/clients/launcher/build/index.js',
);

export interface Inspection {
  /** 0 if the server did what was asked; 6 if `--strict` finds a schema that clients may refuse. */
  readonly status: number;
  /** The `result` or `error` that the Inspector prints. */
  readonly json: Readonly<Record<string, unknown>>;
  /** Its warnings. */
  readonly said: string;
}

/**
 * Inspects a server.
 * @param url the address of the endpoint
 * @param args the options of the Inspector, such as `--method`, `tools/list`
 */
export async function inspect(url: string, args: readonly string[]): Promise<Inspection> {
  const options = ['--cli', url, '--format', 'json', ...args];
  // It keeps settings and tokens in the folder of the user.
  const HOME = await mkdtemp(join(tmpdir(), 'practice-inspector-'));
  const inspector = spawn(process.execPath, [program, ...options], { env: { HOME } });
  let [printed, said] = ['', ''];
  inspector.stdout.on('data', (data: Buffer) => (printed += data.toString()));
  inspector.stderr.on('data', (data: Buffer) => (said += data.toString()));
  const [status] = (await once(inspector, 'close')) as [number];
  await rm(HOME, { recursive: true });
  return { status, json: JSON.parse(printed || said) as Inspection['json'], said };
}
