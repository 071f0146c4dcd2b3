import { parseArgs } from 'node:util';
import { understood } from '../common/command-line.js';
import { Failure } from '../common/failure.js';
import { readReaders, withReader, writeReaders, type Reader } from '../nats/readers.js';

/**
 * Carries out `user NAME [--subscription NAME]…`, `user NAME --revoke` and `user list` on the files of a data folder.
 * @returns the text to print, and the user that was added, changed or revoked
 * @throws {Failure} when the arguments are invalid, or name a user that does not exist or may not be created
 */
export function changeUser(
  dataDir: string,
  args: readonly string[],
  urlOf: (reader: Reader) => string,
): { readonly report: string; readonly changed?: Reader } {
  const { name, subscriptions, revoke } = parse(args);
  const readers = readReaders(dataDir);
  if (name === 'list') return { report: listOf(readers) };
  if (revoke) {
    const changed = readers.find((reader) => reader.name === name);
    if (changed === undefined) throw new Failure(`There is no user ${name}.`);
    writeReaders(
      dataDir,
      readers.filter((reader) => reader !== changed),
    );
    return { report: `Revoked: ${name}.`, changed };
  }
  const wanted = { name, subscriptions: [...new Set([name, ...subscriptions])] };
  const { reader: changed, readers: all } = withReader(readers, wanted);
  writeReaders(dataDir, all);
  return { report: `${urlOf(changed)}\nMay subscribe under: ${changed.subscriptions.join(', ')}`, changed };
}

/** URL with a reader's credentials. */
export const readerUrl = ({ name, password }: Reader, host: string): string =>
  `nats://${name}:${password}@${host}`;

function parse(args: readonly string[]) {
  const options = {
    subscription: { type: 'string', multiple: true, default: [] as string[] },
    revoke: { type: 'boolean', default: false },
  } as const;
  return understood(USER_USAGE, () => {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [name, ...rest] = positionals;
    if (name === undefined || rest.length > 0) throw new Error('give one NAME, or list');
    return { name, subscriptions: values.subscription, revoke: values.revoke };
  });
}

export const USER_USAGE =
  'Usage: npm run events -- user NAME [--subscription NAME]… | user NAME --revoke | user list';

const listOf = (readers: readonly Reader[]): string =>
  readers.length === 0
    ? 'There are no users.'
    : readers.map(({ name, subscriptions }) => `${name}  ${subscriptions.join(', ')}`).join('\n');
