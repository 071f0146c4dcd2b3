// Runs the command line of the MCP Inspector with its own program.

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
  /** The exit status: 0 if the request succeeded, 6 if `--strict` finds a schema that clients may refuse. */
  readonly status: number;
  /** The `result` or `error` that the Inspector prints. */
  readonly json: Readonly<Record<string, unknown>>;
  /** The warnings of the Inspector. */
  readonly said: string;
}

/** The line with the address at which the Inspector asks a person to sign in. */
const SIGN_IN = /navigate to: (\S+)/;

/**
 * Inspects a server.
 * @param url the address of the endpoint
 * @param args the options of the Inspector, such as `--method`, `tools/list`
 * @param signIn signs in at the printed address, like a person in a browser; the Inspector waits until it ends. Without it, the
 * Inspector does not sign in.
 */
export async function inspect(
  url: string,
  args: readonly string[],
  signIn?: (address: URL) => Promise<unknown>,
): Promise<Inspection> {
  const options = ['--cli', url, '--format', 'json', ...args];
  // A temporary home, because the Inspector stores settings and tokens in the user's home folder.
  const HOME = await mkdtemp(join(tmpdir(), 'practice-inspector-'));
  const env = {
    HOME,
    MCP_INSPECTOR_SECRET_STORE: 'memory',
    MCP_AUTO_OPEN_ENABLED: String(signIn !== undefined),
  };
  const inspector = spawn(process.execPath, [program, ...options], { env });
  let [printed, said] = ['', ''];
  let signedIn: Promise<unknown> | undefined;
  inspector.stdout.on('data', (data: Buffer) => (printed += data.toString()));
  inspector.stderr.on('data', (data: Buffer) => {
    said += data.toString();
    const [, address] = SIGN_IN.exec(said) ?? [];
    if (address === undefined || signedIn !== undefined) return;
    signedIn = signIn?.(new URL(address)).catch((error: unknown) => {
      inspector.kill();
      throw error;
    });
  });
  const [status] = (await once(inspector, 'close')) as [number];
  await rm(HOME, { recursive: true });
  await signedIn;
  return { status, json: JSON.parse(printed || said) as Inspection['json'], said };
}
