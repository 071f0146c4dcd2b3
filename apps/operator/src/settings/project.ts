// The tree that runs, and the programs of its services.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Service } from './services.js';

/** Root of the tree that this file was built in. */
export const projectFolder = join(import.meta.dirname, '..', '..', '..', '..');

/** The arguments with which Node runs a command of a service: `migrate`, `rebuild`, `republish`. */
export const programOf = ({ name }: Pick<Service, 'name'>, command: string): string[] => [
  join(projectFolder, 'apps', name, 'dist', 'main.js'),
  command,
];

/** The arguments with which `npm run SCRIPT` runs Node. @param tree root of the tree, which may be another version */
export function argumentsOfScript(script: string, tree = projectFolder): string[] {
  const manifest = readFileSync(join(tree, 'package.json'), 'utf8');
  const { scripts } = JSON.parse(manifest) as { readonly scripts: Readonly<Record<string, string>> };
  const [file = '', ...args] = (/\bnode (.+)$/.exec(scripts[script] ?? '')?.[1] ?? '').split(' ');
  return [join(tree, file), ...args];
}
