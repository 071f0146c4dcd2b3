// The system under test: the whole product in a folder of its own, with connections between its processes that can be cut.
import { join } from 'node:path';
import { readSettings, schemaOf, type ServerUrls, services, type Settings } from '@practice/operator';
import { type SmallDisk, startStack, type Wire, wireTo, withoutLimits } from '@practice/start';
import { startClusters, type ClusterKind, type Clusters } from './clusters/start.js';

export const CALLERS = 'callers–gateway';
export const SUBSCRIBER = 'subscriber–nats-server';

export interface SystemOptions {
  readonly folder: string;
  /** Clusters in place of built-in servers. */
  readonly cluster?: readonly ClusterKind[];
  /** Holds the data folder, if given. */
  readonly disk?: SmallDisk;
  /** Receives the lines of the supervisor. */
  readonly print: (line: string) => void;
}

/**
 * Starts the system, on free ports. The environment is ignored.
 * @throws when something cannot start
 */
export async function startSystem({ folder, cluster = [], disk, print }: SystemOptions) {
  /** Connections that can be cut, by the names of their two ends. */
  const wires = new Map<string, Wire>();
  const dataDir = join(disk?.folder ?? folder, 'data');
  const clusters = await startClusters(join(folder, 'clusters'), cluster, print);
  const closeAll = async (): Promise<void> => {
    await Promise.all([...wires.values()].map(({ close }) => close()));
    await clusters.stop();
  };
  // Open streams move from one live process to the other.
  const settings = { ...readSettings({}), ...withoutLimits, LIVE_PROCESSES: 2, PORT: 0, DATA_DIR: dataDir };
  try {
    const stack = await startStack({
      settings: { ...settings, ...settingsFor(clusters) },
      print,
      route: (servers) => routed({ ...servers, ...natsOf(clusters) }, wires, clusters.nats !== undefined),
    });
    wires.set(CALLERS, await wireTo(stack.baseUrl));
    if (!clusters.nats) wires.set(SUBSCRIBER, await wireTo(stack.natsUrl('admin')));
    return {
      stack,
      wires,
      disk,
      clusters,
      /** Folder of the JetStream of the built-in server. */
      streamFolder: join(dataDir, 'nats'),
      stop: async (): Promise<void> => {
        await stack.stop();
        await closeAll();
      },
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/** The running system, with the places where faults happen. */
export type System = Awaited<ReturnType<typeof startSystem>>;

const settingsFor = ({ nats, patroni }: Clusters): Partial<Settings> => ({
  ...(nats && { NATS_URL: nats.natsUrl('admin'), STREAM_REPLICAS: 3 }),
  ...(patroni && { DATABASE_URL: patroni.url }),
});

/** The URLs of the cluster of NATS. Each service has its own user, so that the permissions hold on a cluster too. */
const natsOf = ({ nats }: Clusters): Partial<ServerUrls> => (nats ? { natsUrl: nats.natsUrl } : {});

/** Routes each service to each server through a wire, except to a cluster of NATS: if cut, a client would continue with another member. */
async function routed(
  { databaseUrl, requestUrl, natsUrl }: ServerUrls,
  wires: Map<string, Wire>,
  isCluster: boolean,
): Promise<ServerUrls> {
  const stored = services.filter(({ answers }) => answers);
  if (!isCluster)
    for (const { name } of services) wires.set(`${name}–nats-server`, await wireTo(natsUrl(name)));
  for (const { name } of stored)
    wires.set(`${name}–postgres`, await wireTo(databaseUrl(schemaOf({ name, answers: true }))));
  return {
    natsUrl: (user) => (isCluster ? natsUrl(user) : through(wires.get(`${user}–nats-server`), natsUrl(user))),
    requestUrl: (service) => through(wires.get(`${service.name}–postgres`), requestUrl(service)),
    databaseUrl: (role) => {
      const service = stored.find((one) => role === schemaOf(one) || role === `${schemaOf(one)}_relay`);
      return through(wires.get(`${service?.name}–postgres`), databaseUrl(role));
    },
  };
}

/** The URL with the address of the wire. It keeps its credentials, which differ by role. */
function through(wire: Wire | undefined, url: string): string {
  if (wire === undefined) throw new Error(`there is no wire for ${new URL(url).username}`);
  return Object.assign(new URL(url), { host: new URL(wire.url).host }).href;
}
