// Runs what a reader of the docs would run, in a process of its own.
import { spawn } from 'node:child_process';
import { machineEnvironment } from '../dev.config.js';
import { projectFolder } from '../processes/app.js';

/** What supabase-js needs of Node 20, which has a WebSocket only when asked. */
export const webSocket: readonly string[] = /^2[01]\./.test(process.versions.node)
  ? ['--experimental-websocket']
  : [];

export interface Session {
  /** Exit status; null when a signal ended it. */
  readonly status: number | null;
  readonly output: string;
}

export interface Told {
  readonly env?: Readonly<Record<string, string>>;
  /** Called with everything it has said so far; ends the session by returning true. */
  readonly enough?: (output: string) => boolean;
}

/** Runs a program in the project's root to its end, or until it has said enough. */
export function session(
  program: string,
  args: readonly string[],
  { env = {}, enough }: Told = {},
): Promise<Session> {
  const child = spawn(program, args, { cwd: projectFolder, env: { ...machineEnvironment(), ...env } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (part: Buffer) => {
      output += part.toString();
      if (enough?.(output) === true) child.kill('SIGTERM');
    });
  }
  return new Promise((done, failed) => {
    child.once('error', failed);
    child.once('close', (status) => done({ status, output }));
  });
}
