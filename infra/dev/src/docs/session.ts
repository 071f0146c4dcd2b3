// Runs a session of the docs in a process of its own.
import { spawn } from 'node:child_process';
import { machineEnvironment } from '../dev.config.js';
import { projectFolder } from '../project.js';

/** supabase-js needs a WebSocket; Node 20 has one only with this flag. */
export const webSocket: readonly string[] = /^2[01]\./.test(process.versions.node)
  ? ['--experimental-websocket']
  : [];

export interface Session {
  /** Exit status; null if a signal ended it. */
  readonly status: number | null;
  readonly output: string;
}

export interface SessionOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Called with the whole output so far; the session ends when it returns true. */
  readonly enough?: (output: string) => boolean;
  /** Text for its standard input. */
  readonly input?: string;
}

/** Runs a program in the project's root until it ends or `enough` returns true. */
export function session(
  program: string,
  args: readonly string[],
  { env = {}, enough, input = '' }: SessionOptions = {},
): Promise<Session> {
  const child = spawn(program, args, { cwd: projectFolder, env: { ...machineEnvironment(), ...env } });
  let output = '';
  // A program may end before it has read its input.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
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
