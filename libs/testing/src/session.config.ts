// Runs programs, such as the sessions of the docs, in separate processes.
import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** The root folder of the project. */
export const projectFolder = join(import.meta.dirname, '..', '..', '..');

/** The Node flags for a WebSocket, which supabase-js needs. Node 20 has a WebSocket only with this flag. */
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
  /** Called with the whole output so far. The program is stopped when it returns true. */
  readonly enough?: (output: string) => boolean;
  /** The text for the program's standard input. */
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
  // An error is ignored, because a program may end before it has read its input.
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

/** The environment variables that any program needs. None of them changes the behaviour of the program. */
function machine(): Record<string, string> {
  const names = ['PATH', 'HOME', 'LANG', 'TMPDIR', 'SystemRoot', 'NODE_EXTRA_CA_CERTS'];
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}
