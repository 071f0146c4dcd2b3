// Keys and passwords: random, created once, kept in a file that only its owner can read.
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from './failure.js';
import { writePrivately } from './private-file.js';

export interface Secrets {
  /** The secret called `name`. Creates it if it does not exist. */
  readonly get: (name: string) => string;
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
  let changed = false;
  return {
    get: (name) => {
      known[name] ??= ((changed = true), randomBytes(24).toString('base64url'));
      return known[name];
    },
    save: () => {
      if (changed) writePrivately(file, `${JSON.stringify(known, null, 2)}\n`);
      changed = false;
    },
  };
}

/** The key that encrypts the signing keys in the database. */
export function keyEncryptionKeyOf(
  settings: { readonly KEY_ENCRYPTION_KEY: string },
  secrets: Secrets,
): string {
  return settings.KEY_ENCRYPTION_KEY || secrets.get('key_encryption_key');
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
