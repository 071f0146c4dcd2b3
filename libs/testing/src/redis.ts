import { join } from 'node:path';
import { startRedis } from '@practice/dev';
import type { Redis } from '@practice/dev';
import { stack } from './stack.js';

/** A Redis for one spec; `port` to take the place of one that was stopped. */
export function redis(port?: number): Promise<Redis> {
  const { cacheDir, dataDir } = stack();
  return startRedis({ cacheDir, logDir: join(dataDir, 'logs'), ...(port !== undefined && { port }) });
}
