import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { JoinedStack, OwnStack } from '@practice/testing';
import jwt from 'jsonwebtoken';

type System = Pick<JoinedStack | OwnStack, 'dataDir' | 'databaseUrl' | 'natsUrl'>;

const main = join(import.meta.dirname, '..', 'dist', 'main.js');

export const secretsOf = ({ dataDir }: Pick<System, 'dataDir'>): Record<string, string> =>
  JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')) as Record<string, string>;

/** Runs the command as `npm run keys` runs it, on a running system. @returns its output */
export async function keysCommand(system: System, args: readonly string[]): Promise<string> {
  const env = {
    DATABASE_URL: system.databaseUrl('identity_owner'),
    KEY_ENCRYPTION_KEY: secretsOf(system)['key_encryption_key'],
    NATS_URL: system.natsUrl('identity'),
  };
  const { stdout } = await promisify(execFile)(process.execPath, [main, 'keys', ...args], { env });
  return stdout;
}

/** The id of the key that signed a token. */
export const kidOf = (token: string): unknown => jwt.decode(token, { complete: true })?.header.kid;
