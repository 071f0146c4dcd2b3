// Each app has one more place than processes. An upgrade starts the new process in the free place, waits until it is ready, and ends the old one.
import { appOf, type Coordinates, placeOf, startApp, stopApp } from '@practice/start';
import { type Child, freePort, GATEWAY, LIVE, type Service, services } from '@practice/operator';
import type { Version } from '../kit/checkout.js';

/** Gateways and live processes run twice, so that one of each is always available. A service runs once. */
const copiesOf = ({ answers }: Service): number => (answers ? 1 : 2);
/** Longer than two health checks of the proxy. */
const DRAIN_SECONDS = '2';

interface Replica {
  readonly port: number;
  child: Child | undefined;
}

/** Makes places for the processes of a system that so far runs only its servers. */
export async function makeReplicas(coordinates: Coordinates) {
  const places = await Promise.all(
    services.map(async (service) => ({ service, free: await placesOf(service) })),
  );
  const portsOf = (name: string): number[] =>
    places.find(({ service }) => service.name === name)?.free.map(({ port }) => port) ?? [];
  const liveUrls = portsOf(LIVE).map((port) => `http://127.0.0.1:${port}`);
  const place = placeOf({ ...coordinates, liveUrls });
  const start = async (service: Service, replica: Replica, { tree }: Version): Promise<void> => {
    const ports = { port: replica.port, metricsPort: await freePort() };
    const app = appOf(service, place, { name: `${service.name}-${replica.port}`, ...ports });
    const drain = service.name === GATEWAY && { DRAIN_SECONDS };
    replica.child = await startApp({ ...app, env: { ...app.env, ...drain }, tree });
  };
  return {
    /** Ports of all places of gateways. */
    gatewayPorts: portsOf(GATEWAY),
    /** Starts all processes at once. */
    start: async (version: Version): Promise<void> => {
      const first = places.flatMap(({ service, free }) =>
        free.slice(0, copiesOf(service)).map((replica) => ({ service, replica })),
      );
      await Promise.all(first.map(({ service, replica }) => start(service, replica, version)));
    },
    /** Replaces one process after the other: gateways, live processes, then services. @returns how many were replaced */
    roll: async (version: Version): Promise<number> => {
      const before = places.flatMap(({ service, free }) =>
        running(free).map((old) => ({ service, free, old })),
      );
      for (const { service, free, old } of before) {
        await start(service, nextOf(free), version);
        await end(old);
      }
      return before.length;
    },
    stop: async (): Promise<void> => {
      await Promise.all(places.flatMap(({ free }) => running(free)).map(end));
    },
  };
}

const running = (places: readonly Replica[]): Replica[] => places.filter(({ child }) => child !== undefined);

function nextOf(places: readonly Replica[]): Replica {
  const next = places.find(({ child }) => child === undefined);
  if (next === undefined) throw new Error('every place is taken');
  return next;
}

async function end(replica: Replica): Promise<void> {
  const { child } = replica;
  replica.child = undefined;
  if (child !== undefined) await stopApp(child);
}

/** One more place than copies. */
const placesOf = (service: Service): Promise<Replica[]> =>
  Promise.all(
    Array.from({ length: copiesOf(service) + 1 }, async () => ({ port: await freePort(), child: undefined })),
  );
