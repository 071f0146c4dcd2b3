// Keys and passwords: random, created once, kept in a file that only its owner can read.
import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../common/failure.js';
import { writePrivately } from '../common/private-file.js';

export interface Secrets {
  /** The secret called `name`. If it does not exist, `make` creates it; the default is random text. */
  readonly get: (name: string, make?: () => string) => string;
  /** The secret called `name`, if it exists. */
  readonly find: (name: string) => string | undefined;
  /** Replaces the secret called `name`. */
  readonly set: (name: string, secret: string) => void;
  /** Writes new secrets to disk. Call it before anything uses them. */
  readonly save: () => void;
}

/**
 * The secrets of a data folder.
 * @throws {Failure} if the file exists but is not valid JSON
 */
export function openSecrets(dataDir: string): Secrets {
  const file = join(dataDir, 'secrets.json');
  const known = read(file);
  const changed = new Map<string, string>();
  const set: Secrets['set'] = (name, secret) => {
    known[name] = secret;
    changed.set(name, secret);
  };
  return {
    get: (name, make = randomSecret) => {
      if (known[name] === undefined) set(name, make());
      return known[name] as string;
    },
    find: (name) => known[name],
    set,
    save: () => {
      if (changed.size === 0) return;
      // Another command may have changed other secrets meanwhile.
      const all = { ...read(file), ...Object.fromEntries(changed) };
      writePrivately(file, `${JSON.stringify(all, null, 2)}\n`);
      changed.clear();
    },
  };
}

/** Random text for a secret. */
export const randomSecret = (): string => randomBytes(24).toString('base64url');

/** The keys of the statements of identity: gateways sign with the newest key; services accept it and the previous key. */
export interface StatementKeys {
  /** PKCS #8 in base64url. */
  readonly privateKey: string;
  /** SPKI in base64url. */
  readonly publicKeys: readonly string[];
}

/** The keys of a data folder. To change the key, rename `statement_key` to `previous_statement_key` and start again. */
export function statementKeysOf(secrets: Secrets): StatementKeys {
  const privateKey = secrets.get('statement_key', () =>
    generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64url'),
  );
  const previous = secrets.find('previous_statement_key');
  return {
    privateKey,
    publicKeys: [privateKey, ...(previous === undefined ? [] : [previous])].map(publicKeyOf),
  };
}

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
