// Keys and passwords: random, created once, kept in a file that only its owner can read.
import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../common/failure.js';
import { writePrivately } from '../common/private-file.js';

/**
 * The secrets of a data folder.
 * @throws {Failure} if the file exists but is not valid JSON
 */
export function openSecrets(dataDir: string) {
  const file = join(dataDir, 'secrets.json');
  const known = read(file);
  const changed = new Map<string, string>();
  /** Replaces the secret called `name`. */
  const set = (name: string, secret: string): void => {
    known[name] = secret;
    changed.set(name, secret);
  };
  return {
    /** The secret called `name`. If it does not exist, `make` creates it; the default is random text. */
    get: (name: string, make = randomSecret): string => {
      if (known[name] === undefined) set(name, make());
      return known[name] as string;
    },
    /** The secret called `name`. @throws {Error} if it does not exist: a new password would open nothing */
    existing: (name: string): string => {
      const secret = known[name];
      if (secret === undefined) throw new Error(`${file} has no ${name}`);
      return secret;
    },
    /** The secret called `name`, if it exists. */
    find: (name: string): string | undefined => known[name],
    set,
    /** Writes new secrets to disk. Call it before anything uses them. */
    save: (): void => {
      if (changed.size === 0) return;
      // Another command may have changed other secrets meanwhile.
      const all = { ...read(file), ...Object.fromEntries(changed) };
      writePrivately(file, `${JSON.stringify(all, null, 2)}\n`);
      changed.clear();
    },
  };
}

export type Secrets = ReturnType<typeof openSecrets>;

/** Random text for a secret. */
export const randomSecret = (): string => randomBytes(24).toString('base64url');

/**
 * The keys of the statements of identity: gateways sign with the newest key; services accept it and the previous key. To change the
 * key, rename `statement_key` to `previous_statement_key` and start again.
 */
export function statementKeysOf(secrets: Secrets) {
  const privateKey = secrets.get('statement_key', () =>
    generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64url'),
  );
  const previous = secrets.find('previous_statement_key');
  return {
    /** PKCS #8 in base64url. */
    privateKey,
    /** SPKI in base64url. */
    publicKeys: [privateKey, ...(previous === undefined ? [] : [previous])].map(publicKeyOf),
  };
}

export type StatementKeys = ReturnType<typeof statementKeysOf>;

function publicKeyOf(privateKey: string): string {
  const key = createPrivateKey({ key: Buffer.from(privateKey, 'base64url'), format: 'der', type: 'pkcs8' });
  return createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('base64url');
}

function read(file: string): Record<string, string> {
  if (!existsSync(file)) return {};
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  } catch (cause) {
    throw new Failure(`${file} cannot be read as JSON: restore it, or delete all data with --fresh.`, {
      cause,
    });
  }
}
