// The coordinates of a stack, as plain data: another process needs them to use it, or to start more processes for it.
import { join } from 'node:path';
import {
  ADMIN,
  keySettingIn,
  keysFolderOf,
  rolesOf,
  type Servers,
  type ServerUrls,
  services,
  type Settings,
  type StatementKeys,
  storedServices,
} from '@practice/operator';
import { type AppPlace, spawnExtra, type Extra } from '../processes/extra.js';

export interface Coordinates {
  /** The first argument of supabase-js' `createClient(baseUrl, apikey)`: the origin, without /rest/v1. */
  readonly baseUrl: string;
  /** Where this machine reaches the gateway. */
  readonly origin: string;
  readonly apikey: string;
  /** Where gateways reach the live processes. */
  readonly liveUrls: readonly string[];
  /** Address that a live process listens on. */
  readonly liveHost: string;
  /** Folder of the files with key-encryption keys. */
  readonly keysFolder: string;
  /** Folder on the disk of the database, if it is the built-in one. */
  readonly dataDisk?: string;
  readonly statementKeys: StatementKeys;
  readonly settings: Settings;
  readonly adminDatabaseUrl: string;
  /** By Postgres role. */
  readonly databaseUrls: Readonly<Record<string, string>>;
  /** URLs at which the processes of a service read and write, by its name. */
  readonly requestUrls: Readonly<Record<string, string>>;
  /** By NATS user. */
  readonly natsUrls: Readonly<Record<string, string>>;
}

/** A stack that another process runs. */
export interface JoinedStack {
  readonly baseUrl: string;
  readonly apikey: string;
  readonly dataDir: string;
  /** Folder for downloaded programs. */
  readonly cacheDir: string;
  /** URL with the credentials of a NATS user: a service by its name, or `admin`. */
  readonly natsUrl: (user: string) => string;
  /** URL with the credentials of a Postgres role (`scheduling`, `scheduling_owner`, `scheduling_relay`, …). */
  readonly databaseUrl: (role: string) => string;
  readonly adminDatabaseUrl: string;
  /** Starts one more process of a service, or one more gateway, on a port of its own. */
  readonly spawnProcess: (service: string, env?: Readonly<Record<string, string>>) => Promise<Extra>;
}

/** All URLs of the servers, by role and user. */
export function urlsOf(
  infra: ServerUrls & { readonly adminDatabaseUrl: string },
): Pick<Coordinates, 'adminDatabaseUrl' | 'databaseUrls' | 'requestUrls' | 'natsUrls'> {
  const roles = storedServices.flatMap((service) => Object.values(rolesOf(service)));
  const users = [ADMIN, ...services.map(({ name }) => name)];
  return {
    adminDatabaseUrl: infra.adminDatabaseUrl,
    databaseUrls: Object.fromEntries(roles.map((role) => [role, infra.databaseUrl(role)])),
    requestUrls: Object.fromEntries(
      storedServices.map((service) => [service.name, infra.requestUrl(service)]),
    ),
    natsUrls: Object.fromEntries(users.map((user) => [user, infra.natsUrl(user)])),
  };
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

/** How processes of a stack are started. */
export function placeOf(coordinates: Coordinates): AppPlace {
  const { settings, databaseUrls, requestUrls, natsUrls } = coordinates;
  return {
    ...coordinates,
    infra: {
      requestUrl: ({ name }) => known(requestUrls, name),
      databaseUrl: (role) => known(databaseUrls, role),
      natsUrl: (user) => known(natsUrls, user),
    },
    logDir: join(settings.DATA_DIR, 'logs'),
  };
}

/** A stack by its coordinates. Processes started through it end with this process at the latest. */
export function joinStack(coordinates: Coordinates): JoinedStack {
  const place = placeOf(coordinates);
  return {
    baseUrl: coordinates.baseUrl,
    apikey: coordinates.apikey,
    dataDir: coordinates.settings.DATA_DIR,
    cacheDir: coordinates.settings.CACHE_DIR,
    adminDatabaseUrl: coordinates.adminDatabaseUrl,
    databaseUrl: place.infra.databaseUrl,
    natsUrl: place.infra.natsUrl,
    spawnProcess: (service, env) => spawnExtra(place, service, env),
  };
}

function known(urls: Readonly<Record<string, string>>, name: string): string {
  const url = urls[name];
  if (url === undefined) throw new Error(`there is no user ${name}, only ${Object.keys(urls).join(', ')}`);
  return url;
}
