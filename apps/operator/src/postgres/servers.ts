// The Postgres server of each service: its own server, the server of DATABASE_URL, or the built-in server.
import { serviceEnvironment } from '@practice/settings';
import type { Settings } from '../settings/operator.config.js';
import { Failure } from '../common/failure.js';
import { rolesOf, storedServices, type Service } from '../settings/services.js';
import type { DatabaseUrls } from '../settings/server-urls.js';
import { withCredentials } from '../common/with-credentials.js';

/** A server, with the services that have their databases there. */
export interface DatabaseServer {
  /** URL of the database with the credentials of an administrator. */
  readonly adminUrl: string;
  /** The same database through PgBouncer; empty without one. */
  readonly poolUrl: string;
  readonly services: readonly Service[];
  /** Whether the server is our own, and not the operator's. */
  readonly isOurs: boolean;
}

/** The services that use DATABASE_URL or the built-in server. */
const sharingServices = (settings: Pick<Settings, 'ofServices'>): readonly Service[] =>
  storedServices.filter(({ name }) => (settings.ofServices[name]?.DATABASE_URL ?? '') === '');

/** Whether any service uses the built-in server. */
export const needsBuiltIn = (settings: Settings): boolean =>
  settings.DATABASE_URL === '' && sharingServices(settings).length > 0;

/** The settings that are set and name a server of the operator. */
export const externalServers = ({ DATABASE_URL, ofServices }: Settings): string[] =>
  Object.entries(ofServices)
    .flatMap(([service, own]) => Object.entries(serviceEnvironment(service, own)))
    .concat([['DATABASE_URL', DATABASE_URL]])
    .filter(([name, url]) => name.endsWith('DATABASE_URL') && url !== '')
    .map(([name]) => name);

/**
 * The servers of all services.
 * @param builtIn the built-in server, if it is needed
 * @throws {Failure} when a service has its own PgBouncer, but no server of its own
 */
export function databaseServers(
  settings: Settings,
  builtIn: Pick<DatabaseServer, 'adminUrl' | 'poolUrl'> | undefined,
): readonly DatabaseServer[] {
  const sharing = sharingServices(settings);
  const shared: DatabaseServer = {
    ...(builtIn ?? { adminUrl: settings.DATABASE_URL, poolUrl: settings.DATABASE_POOL_URL }),
    services: sharing,
    isOurs: builtIn !== undefined,
  };
  const lost = sharing.find(({ name }) => (settings.ofServices[name]?.DATABASE_POOL_URL ?? '') !== '');
  if (lost) throw new Failure(`${lost.name} has a DATABASE_POOL_URL of its own, but no DATABASE_URL.`);
  const own = storedServices
    .filter((service) => !sharing.includes(service))
    .map((service): DatabaseServer => {
      const { DATABASE_URL = '', DATABASE_POOL_URL = '' } = settings.ofServices[service.name] ?? {};
      return { adminUrl: DATABASE_URL, poolUrl: DATABASE_POOL_URL, services: [service], isOurs: false };
    });
  return sharing.length === 0 ? own : [shared, ...own];
}

/** The URL of each service's server with the credentials of an administrator, by service. */
export const urlsByService = (servers: readonly DatabaseServer[]): Record<string, string> =>
  Object.fromEntries(
    servers.flatMap(({ adminUrl, services }) => services.map(({ name }) => [name, adminUrl])),
  );

/** The URLs of all roles. */
export function urlsOn(
  servers: readonly DatabaseServer[],
  passwordOf: (role: string) => string,
): DatabaseUrls {
  const serverOf = (isThere: (service: Service) => boolean): DatabaseServer => {
    const found = servers.find(({ services }) => services.some(isThere));
    if (found === undefined) throw new Error('no server has this role or service');
    return found;
  };
  const databaseUrl = (role: string): string => {
    const { adminUrl } = serverOf((service) => Object.values(rolesOf(service)).includes(role));
    return withCredentials(adminUrl, role, passwordOf(role));
  };
  return {
    databaseUrl,
    requestUrl: (service) => {
      const { requests } = rolesOf(service);
      const { poolUrl } = serverOf(({ name }) => name === service.name);
      return poolUrl === ''
        ? databaseUrl(requests)
        : withCredentials(poolUrl, requests, passwordOf(requests));
    },
  };
}
