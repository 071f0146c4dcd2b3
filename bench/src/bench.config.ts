import { readSettings } from '@practice/dev';
import { settings } from '@practice/settings';
import type { Settings } from '@practice/settings';

/** High enough that nobody meets it, but counted for every request. */
const LIMIT = 1_000_000;

/**
 * The product as it runs in production, on a free port, whatever the environment says.
 * @param sharedSecret with which another issuer signs tokens; empty for none
 */
export function settingsFor(dataDir: string, sharedSecret: string): Settings {
  return {
    ...readSettings({}),
    PORT: 0,
    DATA_DIR: dataDir,
    LIMIT_READS_PER_MINUTE: LIMIT,
    LIMIT_WRITES_PER_MINUTE: LIMIT,
    LIMIT_AUTH_PER_MINUTE: LIMIT,
    LOG_LEVEL: 'info',
    JWT_SECRET: sharedSecret,
  };
}

export const searchPath = (): string => process.env['PATH'] ?? '';

/**
 * Environment for the `npm start` of any version: this one's without the product's own settings, on a free port.
 * @param cacheDir folder with the programs that both versions share, such as nats-server
 */
export function environmentOfVersion(cacheDir: string): Record<string, string> {
  const machine = Object.entries(process.env).filter(
    (entry): entry is [string, string] => !(entry[0] in settings) && entry[1] !== undefined,
  );
  return {
    ...Object.fromEntries(machine),
    PORT: '0',
    CACHE_DIR: cacheDir,
    LIMIT_READS_PER_MINUTE: String(LIMIT),
    LIMIT_WRITES_PER_MINUTE: String(LIMIT),
    LIMIT_AUTH_PER_MINUTE: String(LIMIT),
    // `npm start` then also stops when this process is gone.
    npm_lifecycle_event: 'start',
  };
}
