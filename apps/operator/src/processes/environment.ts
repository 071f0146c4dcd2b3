// The environment of each process: the settings that its app reads, and its own credentials.
import { join } from 'node:path';
import { settingsFor } from '@practice/settings';
import { isProduction, type Settings } from '../settings/operator.config.js';
import { identityKeys, keySettingIn, operatorsKeys, personalKeysOf } from '../settings/key-lists.js';
import type { ServerUrls } from '../settings/server-urls.js';
import type { StatementKeys } from '../settings/secrets.js';
import { withCredentials } from '../common/with-credentials.js';
import { GATEWAY, LIVE, rolesOf, type Service } from '../settings/services.js';

export interface Whereabouts {
  readonly infra: ServerUrls;
  readonly settings: Settings;
  readonly apikey: string;
  /** Folder of the files with key-encryption keys, as the process sees it. */
  readonly keysFolder: string;
  /** Folder on the disk of the database, if the process can see it. */
  readonly dataDisk?: string;
  /** Folder of the ledger of erasures, as the process sees it; by default the folder of the keys. */
  readonly erasuresFolder?: string;
  readonly statementKeys: StatementKeys;
  /** Public URL of the API. */
  readonly baseUrl: string;
  /** URL of the gateway on this machine. */
  readonly origin: string;
  /** Where gateways reach the live processes. */
  readonly liveUrls: readonly string[];
  /** Address that a live process listens on. */
  readonly liveHost: string;
  /** Address on which a service answers health checks; by default the loopback address. */
  readonly healthHost?: string;
  /** How long a gateway behind a proxy continues to serve after it is asked to stop. */
  readonly drainSeconds?: number;
  /** Port that the process listens on. */
  readonly port: number;
  /** Where the process serves /metrics. */
  readonly metrics: { readonly host: string; readonly port: number };
}

/** The environment of a process of `service`, without the variables that every program of this machine gets. */
export function environmentOf(service: Service, where: Whereabouts): Record<string, string> {
  const { infra, settings, port, metrics } = where;
  const all = {
    NODE_ENV: 'production',
    TZ: 'UTC',
    ...settingsFor(service.name, settings),
    NATS_URL: infra.natsUrl(service.name),
    METRICS_HOST: metrics.host,
    METRICS_PORT: String(metrics.port),
  };
  if (service.name === LIVE) return { ...all, ...liveSettings(where) };
  if (service.name === GATEWAY) {
    return {
      ...all,
      LIVE_URLS: where.liveUrls.join(','),
      HOST: settings.HOST,
      PORT: String(port),
      ANON_KEY: where.apikey,
      BASE_URL: where.baseUrl,
      ...(where.drainSeconds === undefined ? {} : { DRAIN_SECONDS: String(where.drainSeconds) }),
      STATEMENT_PRIVATE_KEY: where.statementKeys.privateKey,
    };
  }
  return {
    ...all,
    DATABASE_URL: infra.requestUrl(service),
    ...replicaOf(service, where),
    RELAY_DATABASE_URL: infra.databaseUrl(rolesOf(service).relay),
    STATEMENT_PUBLIC_KEYS: where.statementKeys.publicKeys.join(','),
    PERSONAL_KEYS: keySettingIn(where.keysFolder, personalKeysOf(service.name)),
    ERASURES_FILE: join(where.erasuresFolder ?? where.keysFolder, `${service.name}.erasures`),
    ...dataDiskOf(service, where),
    HOST: where.healthHost ?? '127.0.0.1',
    HEALTH_PORT: String(port),
    ...(service.name === 'identity' ? identitySettings(where) : {}),
    // In production, no setting permits requests to this machine.
    ...(['webhooks', 'identity'].includes(service.name)
      ? { WEBHOOK_LOOPBACK: isProduction() ? 'no' : 'yes' }
      : {}),
  };
}

const liveSettings = ({ liveHost, port, apikey, baseUrl }: Whereabouts): Record<string, string> => ({
  ...{ HOST: liveHost, PORT: String(port), ANON_KEY: apikey, BASE_URL: baseUrl },
});

/** The variable with the disk of the database. A service with its own server does not write to the disk of the built-in one. */
const dataDiskOf = ({ name }: Service, { dataDisk, settings }: Whereabouts): Record<string, string> =>
  dataDisk === undefined || (settings.ofServices[name]?.DATABASE_URL ?? '') !== ''
    ? {}
    : { DATA_DISK: dataDisk };

/** A replica has the same role and password. A service with its own server does not use the replica of the shared server. */
function replicaOf(service: Service, { infra, settings }: Whereabouts): Record<string, string> {
  const { DATABASE_URL = '', DATABASE_REPLICA_URL = '' } = settings.ofServices[service.name] ?? {};
  const shared = DATABASE_URL === '' ? settings.DATABASE_REPLICA_URL : '';
  const url = DATABASE_REPLICA_URL || shared;
  if (url === '') return {};
  const { username, password } = new URL(infra.requestUrl(service));
  return { DATABASE_REPLICA_URL: withCredentials(url, username, password) };
}

function identitySettings({ settings, baseUrl, keysFolder }: Whereabouts): Record<string, string> {
  return {
    BASE_URL: baseUrl,
    KEY_ENCRYPTION_KEY: operatorsKeys(settings, identityKeys) ?? keySettingIn(keysFolder, identityKeys),
    // In production, no setting permits it: a proxy on this machine makes the API reachable from outside.
    MAIL_TO_LOG: isLocal(settings) && !isProduction() ? 'yes' : 'no',
    CONFIRM_ADDRESSES: isProduction() ? 'yes' : 'no',
  };
}

/** Whether only this machine can reach the API. A mail lets its reader sign in, so mails are logged only then. */
function isLocal({ HOST, BASE_URL, TRUSTED_PROXIES }: Settings): boolean {
  const isLoopback = ['127.0.0.1', '::1', 'localhost'].includes(HOST);
  return isLoopback && BASE_URL === '' && TRUSTED_PROXIES.length === 0;
}
