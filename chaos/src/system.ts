// The system under test: the whole product in a folder of its own, with ways between its processes that can be cut.
import { join } from 'node:path';
import { readSettings, startStack, wireTo } from '@practice/dev';
import { schemaOf, services, type ServerUrls, type Stack, type Wire } from '@practice/dev';

/** The running system, with the places where faults happen. */
export interface System {
  readonly stack: Stack;
  /** Ways that can be cut, by what they connect. */
  readonly wires: ReadonlyMap<string, Wire>;
  /** Folder of JetStream. */
  readonly streamFolder: string;
  readonly stop: () => Promise<void>;
}

export const CALLERS = 'callers–gateway';
export const SUBSCRIBER = 'subscriber–nats-server';

const UNLIMITED = {
  LIMIT_READS_PER_MINUTE: 0,
  LIMIT_WRITES_PER_MINUTE: 0,
  LIMIT_AUTH_PER_MINUTE: 0,
  MAX_CONNECTIONS_PER_ADDRESS: 10_000,
};

/**
 * Starts the system, on free ports. The environment is ignored.
 * @param print receives the lines of the supervisor
 * @throws when something cannot start
 */
export async function startSystem(dataDir: string, print: (line: string) => void): Promise<System> {
  const wires = new Map<string, Wire>();
  // Open streams move from one live process to the other.
  const settings = { ...readSettings({}), ...UNLIMITED, LIVE_PROCESSES: 2, PORT: 0, DATA_DIR: dataDir };
  const stack = await startStack({ settings, print, route: (servers) => routed(servers, wires) });
  wires.set(CALLERS, await wireTo(stack.baseUrl));
  wires.set(SUBSCRIBER, await wireTo(stack.natsUrl('admin')));
  return {
    ...{ stack, wires },
    streamFolder: join(dataDir, 'nats'),
    stop: async () => {
      await stack.stop();
      await Promise.all([...wires.values()].map(({ close }) => close()));
    },
  };
}

/** A way from each service to each server. */
async function routed(
  { databaseUrl, requestUrl, natsUrl }: ServerUrls,
  wires: Map<string, Wire>,
): Promise<ServerUrls> {
  const stored = services.filter(({ answers }) => answers);
  for (const { name } of services) wires.set(`${name}–nats-server`, await wireTo(natsUrl(name)));
  for (const { name } of stored)
    wires.set(`${name}–postgres`, await wireTo(databaseUrl(schemaOf({ name, answers: true }))));
  return {
    natsUrl: (user) => through(wires.get(`${user}–nats-server`), natsUrl(user)),
    requestUrl: (service) => through(wires.get(`${service.name}–postgres`), requestUrl(service)),
    databaseUrl: (role) => {
      const service = stored.find((one) => role === schemaOf(one) || role === `${schemaOf(one)}_relay`);
      return through(wires.get(`${service?.name}–postgres`), databaseUrl(role));
    },
  };
}

/** The URL with the address of the wire: credentials differ by role. */
export function through(wire: Wire | undefined, url: string): string {
  if (wire === undefined) throw new Error(`there is no wire for ${new URL(url).username}`);
  return Object.assign(new URL(url), { host: new URL(wire.url).host }).href;
}
