// NATS users of outside subscribers. They are kept in the data folder beside the other secrets.
import { WEBHOOK_ERASURES, WEBHOOK_NEWS } from '@practice/contracts';
import { Failure } from '../common/failure.js';
import { jsonFile } from '../common/private-file.js';
import { randomSecret } from '../settings/secrets.js';
import { services } from '../settings/services.js';
import { readerPermissions } from './permissions.js';
import { ADMIN, type NatsUser } from './users.js';

export interface Reader {
  readonly name: string;
  readonly password: string;
  /** The names that the reader may give its subscriptions. */
  readonly subscriptions: readonly string[];
}

const file = jsonFile<readonly Reader[]>('nats-readers.json');

/** The readers of a data folder, by name. */
export const readReaders = (dataDir: string): readonly Reader[] => file.read(dataDir) ?? [];

export const writeReaders = (dataDir: string, readers: readonly Reader[]): void =>
  file.write(
    dataDir,
    readers.toSorted((one, other) => one.name.localeCompare(other.name)),
  );

/** A reader as a user of the server. */
export const userOf = ({ name, password, subscriptions }: Reader): NatsUser => ({
  name,
  password,
  permissions: readerPermissions(name, subscriptions),
});

/**
 * Adds a reader, or changes the subscriptions of an existing one, which keeps its password.
 * @throws {Failure} for a name that is invalid or taken
 */
export function withReader(
  readers: readonly Reader[],
  { name, subscriptions }: Omit<Reader, 'password'>,
): { readonly readers: readonly Reader[]; readonly reader: Reader } {
  const existing = readers.find((reader) => reader.name === name);
  const others = readers.filter((reader) => reader !== existing);
  for (const wanted of [name, ...subscriptions]) requireFree(wanted, others);
  const password = existing?.password ?? randomSecret();
  const reader = { name, password, subscriptions };
  return { readers: [...others, reader], reader };
}

/** Checks that the name is free. Each subscription belongs to one user: two users with the same one would take events from each other. */
function requireFree(name: string, others: readonly Reader[]): void {
  if (!/^[a-z][a-z0-9_-]{0,62}$/.test(name))
    throw new Failure(`'${name}' is not a valid name: use up to 63 lower-case letters, digits, - and _.`);
  const reserved = [ADMIN, 'infra', WEBHOOK_ERASURES, WEBHOOK_NEWS, ...services.map(({ name }) => name)];
  if (reserved.some((taken) => name === taken || name.startsWith(`${taken}-mirror-`)))
    throw new Failure(`'${name}' is reserved for the product.`);
  const owner = others.find((reader) => reader.name === name || reader.subscriptions.includes(name));
  if (owner !== undefined) throw new Failure(`'${name}' belongs to the user ${owner.name}.`);
}
