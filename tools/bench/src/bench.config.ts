import { settings, type Settings } from '@practice/settings';
import { readSettings } from '@practice/operator';

/** Limits that are never reached, but are counted for every request. */
const LIMITS = {
  LIMIT_READS_PER_MINUTE: 1_000_000,
  LIMIT_WRITES_PER_MINUTE: 1_000_000,
  LIMIT_AUTH_PER_MINUTE: 1_000_000,
  MAX_CONNECTIONS_PER_ADDRESS: 100_000,
};

/** The issuer of the tokens that a benchmark signs itself. */
export const ISSUER = 'bench';

/**
 * The product's production settings, on a free port; the environment is ignored.
 * @param sharedSecret secret with which another issuer signs tokens; empty: no other issuer
 */
export function settingsFor(dataDir: string, sharedSecret: string): Settings {
  return {
    ...readSettings({}),
    PORT: 0,
    DATA_DIR: dataDir,
    ...LIMITS,
    JWT_SECRET: sharedSecret,
    JWT_ISSUER: sharedSecret === '' ? '' : ISSUER,
  };
}

/**
 * Environment for the `npm start` of any version: the one of this process without the product's own settings, and a free port.
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
    ...Object.fromEntries(Object.entries(LIMITS).map(([name, limit]) => [name, String(limit)])),
    // With this variable, `npm start` also stops when this process has ended.
    npm_lifecycle_event: 'start',
  };
}
