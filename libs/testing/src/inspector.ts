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

/** The address that the Inspector prints where it asks a person to sign in. */
const SIGN_IN = /navigate to: (\S+)/;

/**
 * Inspects a server.
 * @param url the address of the endpoint
 * @param args the options of the Inspector, such as `--method`, `tools/list`
 * @param signIn does at that address what a person does in a browser; the Inspector waits for its end. Without it, the Inspector
 * does not sign in.
 */
export async function inspect(
  url: string,
  args: readonly string[],
  signIn?: (address: URL) => Promise<unknown>,
): Promise<Inspection> {
  const options = ['--cli', url, '--format', 'json', ...args];
  // It keeps settings and tokens in the folder of the user.
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
