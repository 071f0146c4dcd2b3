// An additional process of the product, such as a second gateway. The supervisor does not restart it.
import { join } from 'node:path';
import {
  environmentOf,
  Failure,
  freePort,
  GATEWAY,
  type Service,
  services,
  type Whereabouts,
} from '@practice/operator';
import { startApp, stopApp, type App } from './app.js';

/** Everything that determines how a process is started, except its name and ports. */
export interface AppPlace extends Omit<Whereabouts, 'port' | 'metrics'> {
  readonly logDir: string;
}

/** How a process of `service` is to be started. */
export function appOf(
  service: Service,
  place: AppPlace,
  { name, port, metricsPort }: { name: string; port: number; metricsPort: number },
): App {
  const metrics = { host: '127.0.0.1', port: metricsPort };
  const host = service.name === GATEWAY ? new URL(place.origin).hostname : '127.0.0.1';
  return {
    name,
    service,
    env: { ...environmentOf(service, { ...place, port, metrics }), ...compileCache(place) },
    origin: `http://${host}:${port}`,
    target: { process: name, service: service.name, address: `${metrics.host}:${metricsPort}` },
    logFile: join(place.logDir, `${name}.log`),
  };
}

/** Node 22 and newer keep compiled code there, so that later starts need not compile it again. */
const compileCache = ({ settings }: AppPlace): Record<string, string> => ({
  NODE_COMPILE_CACHE: join(settings.CACHE_DIR, 'compiled'),
});

/**
 * Starts one more process on a free port and waits until it is ready.
 * @param env variables that differ from the environment of the other processes
 * @throws {Failure} if the service does not exist or the process does not become ready
 */
export async function spawnExtra(place: AppPlace, name: string, env: Readonly<Record<string, string>> = {}) {
  const service = services.find((known) => known.name === name);
  if (!service) throw new Failure(`There is no service ${name}.`);
  const port = await freePort();
  const planned = appOf(service, place, { name: `${name}-${port}`, port, metricsPort: await freePort() });
  const app = { ...planned, env: { ...planned.env, ...env } };
  const child = await startApp(app);
  const { pid, exited } = child;
  return {
    ...{ name: app.name, pid, exited },
    /** Where it answers: the API of a gateway, /livez and /readyz of a service. */
    origin: app.origin,
    /** Where it serves /metrics: host and port. */
    metrics: app.target.address,
    stop: () => stopApp(child),
  };
}

/** An additional process. It is not started again when it ends. */
export type Extra = Awaited<ReturnType<typeof spawnExtra>>;
