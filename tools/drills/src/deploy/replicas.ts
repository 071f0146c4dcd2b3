// Each app has one more place than processes. An upgrade starts the new process in the free place, waits until it is ready, and ends the old one.
import { appOf, type Coordinates, placeOf, startApp, stopApp } from '@practice/start';
import { type Child, freePort, GATEWAY, LIVE, type Service, services } from '@practice/operator';
import type { Version } from '../kit/version.js';

/** Gateways and live processes run twice, so that one of each is always available. A service runs once. */
const copiesOf = ({ answers }: Service): number => (answers ? 1 : 2);
/** Longer than two health checks of the proxy. */
const DRAIN_SECONDS = '2';

interface Replica {
  readonly service: Service;
  readonly port: number;
  child: Child | undefined;
}

/** Makes places for the processes of a system that so far runs only its servers. */
export async function makeReplicas(coordinates: Coordinates) {
  const replicas: Replica[] = [];
  for (const service of services)
    for (let copy = 0; copy <= copiesOf(service); copy += 1)
      replicas.push({ service, port: await freePort(), child: undefined });
  const of = (wanted: string): Replica[] => replicas.filter(({ service }) => service.name === wanted);
  const running = (): Replica[] => replicas.filter(({ child }) => child !== undefined);
  const liveUrls = of(LIVE).map(({ port }) => `http://127.0.0.1:${port}`);
  const place = placeOf({ ...coordinates, liveUrls });
  const start = ({ name }: Service, version: Version): Promise<void> => startOne(of(name), place, version);
  return {
    /** Ports of all places of gateways. */
    gatewayPorts: of(GATEWAY).map(({ port }) => port),
    /** Starts all processes: the first of each app at once, and then the second ones. */
    start: async (version: Version): Promise<void> => {
      await Promise.all(services.map((service) => start(service, version)));
      await Promise.all(
        services.filter((one) => copiesOf(one) > 1).map((service) => start(service, version)),
      );
    },
    /** Replaces one process after the other: gateways, live processes, then services. @returns how many were replaced */
    roll: async (version: Version): Promise<number> => {
      const before = running();
      for (const old of before) {
        await start(old.service, version);
        await end(old);
      }
      return before.length;
    },
    stop: async (): Promise<void> => {
      await Promise.all(running().map(end));
    },
  };
}

/** Starts a process in a free place of its app. */
async function startOne(
  replicas: readonly Replica[],
  place: ReturnType<typeof placeOf>,
  { tree }: Version,
): Promise<void> {
  const free = replicas.find(({ child }) => child === undefined);
  if (free === undefined) throw new Error('every place is taken');
  const { service, port } = free;
  const metricsPort = await freePort();
  const app = appOf(service, place, { name: `${service.name}-${port}`, port, metricsPort });
  const drain = service.name === GATEWAY && { DRAIN_SECONDS };
  free.child = await startApp({ ...app, env: { ...app.env, ...drain }, tree });
}

async function end(replica: Replica): Promise<void> {
  const { child } = replica;
  replica.child = undefined;
  if (child !== undefined) await stopApp(child);
}
