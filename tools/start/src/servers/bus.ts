import { join } from 'node:path';
import { ADMIN, freePort, prepareStream, refuseReplicas } from '@practice/operator';
import type { ServerParts } from './servers.js';
import { patient } from '../processes/health.js';
import { watch } from '../processes/watch.js';
import { findNatsServer } from './nats-program.js';
import { natsHealth } from './nats-health.js';
import { natsUrl, startNats, stopNats } from './nats-server.js';

/**
 * The bus of all services, with the event stream: built in, or the one that NATS_URL names.
 * @returns the URL of each NATS user (a service by its name, or `admin`), and the built-in server
 * @throws {Failure} when it is not available or lacks features that the services need
 */
export async function startBus(parts: ServerParts) {
  const { settings, stages } = parts;
  if (settings.NATS_URL === '') return startOwn(parts);
  await stages.run('NATS stream', () => prepareStream(settings.NATS_URL, { say: stages.say, settings }));
  return { natsUrl: (): string => settings.NATS_URL, server: undefined };
}

async function startOwn(parts: ServerParts) {
  const { settings, secrets, stages, logDir, processTable, disk } = parts;
  refuseReplicas(settings);
  const program = await stages.run(
    'nats-server',
    () => findNatsServer(settings.CACHE_DIR),
    (path) => path,
  );
  const place = {
    program,
    port: await freePort(),
    dataDir: settings.DATA_DIR,
    logFile: join(logDir, 'nats-server.log'),
    passwordOf: (user: string) => secrets.get(`nats_${user}`),
  };
  const server = await stages.run('NATS with JetStream', () =>
    watch({
      name: 'nats-server',
      start: async () => {
        const child = await startNats(place);
        secrets.save();
        // A server without its streams must not keep running.
        const prepared = prepareStream(natsUrl(place, ADMIN), { say: stages.say, settings });
        await prepared.catch(async (error: unknown) => {
          await stopNats(child);
          throw error;
        });
        return child;
      },
      health: patient(natsHealth(natsUrl(place, ADMIN), disk)),
      stop: stopNats,
      onChange: (pid) => processTable.note('nats-server', pid),
      say: stages.say,
    }),
  );
  return { natsUrl: (user: string) => natsUrl(place, user), server };
}
