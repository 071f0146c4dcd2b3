// A Redis for one spec: on a free port of the loopback address, without files.
import { join } from 'node:path';
import { freePort, machineEnvironment, startReady, tailOf } from '@practice/operator';
import { findRedis } from './redis-program.js';

const READY_WITHIN = 20_000;
const STOPPED_WITHIN = 5000;

/**
 * Starts a server. @practice/testing describes what specs do with it.
 * @param place where programs are cached and logs go; `port` to take the place of one that was stopped
 * @throws {Failure} when no server is available or it does not start
 */
export async function startRedis(place: {
  readonly cacheDir: string;
  readonly logDir: string;
  readonly port?: number;
}) {
  const { file, libraries } = await findRedis(place.cacheDir);
  const port = place.port ?? (await freePort());
  const logFile = join(place.logDir, `redis-${port}-${Date.now()}.log`);
  const child = await startReady(
    {
      name: 'redis-server',
      command: file,
      args: ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
      env: { ...machineEnvironment(), ...(libraries !== undefined && { LD_LIBRARY_PATH: libraries }) },
      logFile,
      orphaned: 'SIGTERM',
    },
    { isReady: () => /ready to accept/i.test(tailOf(logFile)), within: READY_WITHIN },
  );
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    pause: () => process.kill(child.pid, 'SIGSTOP'),
    resume: () => process.kill(child.pid, 'SIGCONT'),
    stop: () => child.stop('SIGTERM', STOPPED_WITHIN),
  };
}
