// Runs a session of the docs in a process of its own.
import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** Root of the tree. */
export const projectFolder = join(import.meta.dirname, '..', '..', '..');

/** supabase-js needs a WebSocket; Node 20 has one only with this flag. */
export const webSocket: readonly string[] = /^2[01]\./.test(process.versions.node)
  ? ['--experimental-websocket']
  : [];

export interface ProgramRun {
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
): Promise<ProgramRun> {
  const child = spawn(program, args, { cwd: projectFolder, env: { ...machine(), ...env } });
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

/** The variables that any program needs. None of them changes what the program does. */
function machine(): Record<string, string> {
  const names = ['PATH', 'HOME', 'LANG', 'TMPDIR', 'SystemRoot', 'NODE_EXTRA_CA_CERTS'];
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}
