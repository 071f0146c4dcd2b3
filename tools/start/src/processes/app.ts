// One process of the product: a Node program of apps/, ready once its /readyz returns 200.
import { join } from 'node:path';
import {
  type Child,
  environmentOf,
  Failure,
  freePort,
  GATEWAY,
  machineEnvironment,
  nodeFlagsOf,
  nodeMemory,
  projectFolder,
  type Service,
  services,
  startReady,
  type Whereabouts,
} from '@practice/operator';
import type { Target } from '../monitoring/targets.js';

export interface App {
  readonly name: string;
  readonly service: Service;
  readonly env: Readonly<Record<string, string>>;
  /** Where it answers /readyz. */
  readonly origin: string;
  /** Where it serves /metrics. */
  readonly target: Target;
  readonly logFile: string;
  /** Root of the tree whose build runs, if it is another version. */
  readonly tree?: string;
}

const READY_WITHIN = 60_000;
/** Milliseconds between two questions. Each takes processor time from the apps that start. */
const ASKED_EVERY = 100;
/** The process itself gives requests in flight 10 s. The rest of the time is for closing connections. */
const STOPPED_WITHIN = 13_000;

/**
 * Starts an app and waits until it is ready.
 * @throws {Failure} with the end of its log when it is not
 */
export function startApp(app: App): Promise<Child> {
  const { name, service, env, logFile, tree = projectFolder } = app;
  return startReady(
    {
      name,
      command: process.execPath,
      args: [...nodeFlagsOf(service), join(tree, 'apps', service.name, 'dist', 'main.js')],
      env: { ...machineEnvironment(), ...nodeMemory, ...env },
      logFile,
      orphaned: 'channel',
    },
    { isReady: () => answers(app, '/readyz'), within: READY_WITHIN, every: ASKED_EVERY },
  );
}

/** Stops an app, which first finishes the requests in flight. */
export function stopApp(child: Child): Promise<void> {
  return child.stop('SIGTERM', STOPPED_WITHIN);
}

/** Whether the app answers 200. */
export async function answers({ origin }: Pick<App, 'origin'>, path: '/livez' | '/readyz'): Promise<boolean> {
  try {
    const answer = await fetch(`${origin}${path}`, { signal: AbortSignal.timeout(5000) });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}

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
    env: {
      ...environmentOf(service, { ...place, port, metrics }),
      // Node 22 and newer keep compiled code there, so that later starts need not compile it again.
      NODE_COMPILE_CACHE: join(place.settings.CACHE_DIR, 'compiled'),
    },
    origin: `http://${host}:${port}`,
    target: { process: name, service: service.name, address: `${metrics.host}:${metricsPort}` },
    logFile: join(place.logDir, `${name}.log`),
  };
}

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
