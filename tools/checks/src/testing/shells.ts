// The shells into which a reader pastes the sessions of the docs.
import { existsSync } from 'node:fs';
import { session, type ProgramRun } from '@practice/testing';

export interface Shell {
  readonly name: string;
  /** Undefined if it is not installed. */
  readonly program: string | undefined;
  readonly options: readonly string[];
}

const found = (name: string): string | undefined =>
  ['/bin', '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin']
    .map((folder) => `${folder}/${name}`)
    .find(existsSync);

/** Interactive shells without start-up files. As when a reader pastes text, zsh accepts no comments, and an unquoted `?` is a pattern. */
export const shells: readonly Shell[] = [
  { name: 'bash', program: found('bash'), options: ['--norc', '-i'] },
  { name: 'zsh', program: found('zsh'), options: ['-f', '-i'] },
];

/** Pastes a text into a shell and waits until it has run. */
export const paste = (
  { program, options }: Shell,
  text: string,
  env: Readonly<Record<string, string>> = {},
): Promise<ProgramRun> => session(program ?? '', options, { env, input: `${text}\n` });
