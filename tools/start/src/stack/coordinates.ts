// The coordinates of a stack, as plain data: another process needs them to use it, or to start more processes for it.
import { join } from 'node:path';
import {
  type DatabaseServer,
  keySettingIn,
  keysFolderOf,
  openSecrets,
  type Servers,
  type ServerUrls,
  type Settings,
  statementKeysOf,
  urlsOn,
  withCredentials,
} from '@practice/operator';
import { type AppPlace, spawnExtra, type Extra } from '../processes/app.js';

export interface Coordinates {
  /** The first argument of supabase-js' `createClient(baseUrl, apikey)`: the origin, without /rest/v1. */
  readonly baseUrl: string;
  /** Where this machine reaches the gateway. */
  readonly origin: string;
  readonly apikey: string;
  /** Where gateways reach the live processes. */
  readonly liveUrls: readonly string[];
  readonly settings: Settings;
  readonly adminDatabaseUrl: string;
  readonly databases: readonly DatabaseServer[];
  /** With the credentials of the user who may do everything. */
  readonly natsUrl: string;
}

/** The servers of a stack, for programs of its services. */
export const serversOf = ({
  dataDir,
  databaseUrl,
  natsUrl,
}: Pick<JoinedStack, 'dataDir' | 'databaseUrl' | 'natsUrl'>): Omit<Servers, 'keyStore'> => ({
  databaseUrl,
  natsUrl,
  keySetting: (keys) => keySettingIn(keysFolderOf(dataDir), keys),
});

/** The URLs of servers for each role and user, whose passwords are in the data folder. Users of another NATS are unknown. */
export function urlsIn(
  dataDir: string,
  servers: {
    readonly databases: readonly DatabaseServer[];
    readonly natsUrl: string;
    readonly isOwnNats: boolean;
  },
): ServerUrls {
  const secrets = openSecrets(dataDir);
  const { databases, natsUrl, isOwnNats } = servers;
  return {
    ...urlsOn(databases, (role) => secrets.existing(`postgres_${role}`)),
    natsUrl: (user) =>
      isOwnNats ? withCredentials(natsUrl, user, secrets.existing(`nats_${user}`)) : natsUrl,
  };
}

/** Only gateways reach a live process. */
export const LIVE_HOST = '127.0.0.1';

/** How processes of a stack are started. The passwords are in its data folder. */
export function placeOf(coordinates: Coordinates): AppPlace {
  const { settings, databases, natsUrl } = coordinates;
  const { DATA_DIR, DATABASE_URL, NATS_URL } = settings;
  return {
    ...coordinates,
    infra: urlsIn(DATA_DIR, { databases, natsUrl, isOwnNats: NATS_URL === '' }),
    statementKeys: statementKeysOf(openSecrets(DATA_DIR)),
    keysFolder: keysFolderOf(DATA_DIR),
    ...(DATABASE_URL === '' && { dataDisk: join(DATA_DIR, 'postgres') }),
    liveHost: LIVE_HOST,
    logDir: join(DATA_DIR, 'logs'),
  };
}

/** A stack by its coordinates. Processes started through it end with this process at the latest. */
export function joinStack(coordinates: Coordinates) {
  const place = placeOf(coordinates);
  return {
    baseUrl: coordinates.baseUrl,
    apikey: coordinates.apikey,
    dataDir: coordinates.settings.DATA_DIR,
    /** Folder for downloaded programs. */
    cacheDir: coordinates.settings.CACHE_DIR,
    adminDatabaseUrl: coordinates.adminDatabaseUrl,
    /** URL with the credentials of a Postgres role (`scheduling`, `scheduling_owner`, `scheduling_relay`, …). */
    databaseUrl: place.infra.databaseUrl,
    /** URL with the credentials of a NATS user: a service by its name, or `admin`. */
    natsUrl: place.infra.natsUrl,
    /** Starts one more process of a service, or one more gateway, on a port of its own. */
    spawnProcess: (service: string, env?: Readonly<Record<string, string>>): Promise<Extra> =>
      spawnExtra(place, service, env),
  };
}

/** A stack that another process runs. */
export type JoinedStack = ReturnType<typeof joinStack>;
