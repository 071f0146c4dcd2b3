import { readSettings } from '@practice/dev';
import type { Settings } from '@practice/dev';

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
