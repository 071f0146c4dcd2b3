import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from './eventually.js';
import { stack } from './stack.js';

/**
 * The text of the logs of a service, or of a single process.
 * A large log may be rotated while a spec runs, and another spec may have started more processes of the same service on the shared
 * stack. Any of these files can have the line that a spec looks for, so this reads all of them.
 * @param name the name of a service, or of a process (`gateway`, `gateway-<port>`, `postgres`)
 * @param dataDir the data folder of the stack; by default that of the shared stack
 */
export function logOf(name: string, dataDir = stack().dataDir): string {
  const folder = join(dataDir, 'logs');
  return readdirSync(folder)
    .filter((file) => isLogOf(name, file))
    .sort(olderFirst)
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('');
}

/** The lines of a log that contain a text, for example the id of a request. Waits until there is a line. */
export async function logLines(name: string, text: string, dataDir?: string): Promise<string[]> {
  return eventually(`${name} has logged ${text}`, () => {
    const lines = logOf(name, dataDir)
      .split('\n')
      .filter((line) => line.includes(text));
    return lines.length > 0 && lines;
  });
}

function isLogOf(name: string, file: string): boolean {
  const [, process] = /^(.*)\.log(?:\.1)?$/.exec(file) ?? [];
  return process === name || (process?.startsWith(`${name}-`) ?? false);
}

/** Sorts a rotated log before its continuation. */
const olderFirst = (one: string, other: string): number =>
  Number(other.endsWith('.1')) - Number(one.endsWith('.1'));
