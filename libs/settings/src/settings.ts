// All environment variables of the product, one on each line. README's table, docker-compose.yml, the checks of `npm start` and of
// all processes, and the environment of each process are derived from this table.

import { isNetwork, isOrigin, list, oneNumberOf, oneOf, text, url, urls, whole, type Kind } from './kinds.js';
import { readTable, SettingError, type Environment, type Setting, type Values } from './read.js';

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof levels)[number];

/** Clients renew a token 90 s before it expires, so they would renew a token with a shorter lifetime all the time. */
const MIN_TOKEN_SECONDS = 120;
export const MAX_TOKEN_SECONDS = 86_400;

const port = whole(0, 65_535);
const seconds = whole(1, 3600);
const limit = whole(0, 1_000_000_000);
const path = text(/^[^\0]+$/, 'a path');
const host = text(/^[A-Za-z0-9.:-]+$/, 'an IP address or a host name');
const key = text(/^[\x21-\x7e]{1,1024}$/, 'up to 1024 printable characters without spaces');
const longSecret = text(/^.{32,}$/, 'at least 32 characters long');
const longSecrets = text(
  /^[^,]{32,}(?:,[^,]{32,})*$/,
  'at least 32 characters long; several, separated by commas',
);
const longSecretsOrFile = text(
  /^(?:file:.+|[^,]{32,}(?:,[^,]{32,})*)$/,
  'secrets of at least 32 characters, or file: and a path',
);
const base64url = text(/^[\w-]{16,1024}$/, 'a key in base64url');
const keyList = list((part) => /^[\w-]{16,1024}$/.test(part), 'keys in base64url, separated by commas');
const address = text(/^(?:[^\r\n<>@]{0,100}<)?[^\s<>@]{1,64}@[^\s<>@]{1,255}>?$/, 'a mail address');
const http = url('http', 'https');
const postgres = url('postgres', 'postgresql');
const nats = urls('nats', 'tls');
const networks = list(isNetwork, 'addresses or networks such as 10.0.0.0/8, separated by commas');
const httpOrigins = list(
  (part) => isOrigin(part) && part.startsWith('http:'),
  'origins such as http://10.0.0.7:8080, separated by commas',
);
const origins = list(isOrigin, 'origins such as https://app.example, separated by commas');

/** The settings of `npm start` and of the containers. A setting with an empty preset is optional. */
// prettier-ignore
export const settings = {
  PORT: row(port, '8000', 'Port of the API. 0 picks a free one.'),
  HOST: ofMachine(row(host, '127.0.0.1', 'Address that the API listens on. 0.0.0.0 listens on all of them.')),
  BASE_URL: row(http, '', 'Public URL of the API, if not http://HOST:PORT. It is the issuer of tokens.'),
  DATA_DIR: ofMachine(row(path, '.data', 'Folder for everything permanent: databases, event streams, secrets, logs.')),
  CACHE_DIR: ofMachine(row(path, '.cache', 'Folder for downloaded programs such as nats-server.')),
  ANON_KEY: secret(key, '', 'API key of every request. If empty, one is created and kept in DATA_DIR.'),
  DATABASE_URL: ofServers(secret(postgres, '', 'A Postgres server (15 or newer) instead of the built-in one. The user needs the right to create roles.')),
  DATABASE_POOL_URL: ofServers(secret(postgres, '', 'The same database through PgBouncer (1.21 or newer, in transaction mode), for reads and writes. Everything else uses DATABASE_URL.')),
  DATABASE_REPLICA_URL: secret(postgres, '', 'A streaming replica of the database, for reads with `Prefer: read=replica`. Its user and password are not used.'),
  NATS_URL: ofServers(secret(nats, '', 'A NATS server (2.9 or newer, with JetStream and a max_payload of at least 2 MiB) instead of the built-in one. Several servers of a cluster, separated by commas; the first has the user and password.')),
  LIMIT_READS_PER_MINUTE: readBy(row(limit, '100', 'Reads (GET, HEAD) per user and minute, and refreshes of sessions per IP address. 0 removes the limit.'), 'gateway'),
  LIMIT_WRITES_PER_MINUTE: readBy(row(limit, '30', 'Writes (POST, PATCH, PUT, DELETE) per user and minute. 0 removes the limit.'), 'gateway'),
  LIMIT_AUTH_PER_MINUTE: readBy(row(limit, '10', 'Sign-ups, sign-ins and password recoveries per IP address and minute. 0 removes the limit.'), 'gateway', 'live'),
  REDIS_URL: readBy(secret(url('redis', 'rediss'), '', 'A Redis (6 or newer) or Valkey in which several processes share their counters. Without it, each process counts its own.'), 'gateway', 'identity', 'live'),
  LOG_LEVEL: readBy(row(oneOf(...levels), 'info', 'Lowest logged level. debug and trace also print each line to the terminal.'), 'every app'),
  OTEL_EXPORTER_OTLP_ENDPOINT: readBy(row(http, '', 'Collector of OpenTelemetry traces (OTLP over HTTP), such as http://127.0.0.1:4318. If empty, no traces are made.'), 'every app'),
  ACCESS_TOKEN_TTL_SECONDS: readBy(row(whole(MIN_TOKEN_SECONDS, MAX_TOKEN_SECONDS), '3600', 'Lifetime of an access token.'), 'identity'),
  SESSION_IDLE_MINUTES: readBy(row(whole(5, 525_600), '720', 'A session ends after this time without a refresh.'), 'identity'),
  SESSION_MAX_HOURS: readBy(row(whole(1, 8760), '720', 'A session ends this long after its sign-in.'), 'identity'),
  RECENT_SIGN_IN_MINUTES: readBy(row(whole(1, 1440), '10', 'A change of password, address, second factors or personal access tokens requires a sign-in within this time, the password or a mailed code.'), 'identity'),
  JWT_SECRET: readBy(secret(longSecret, '', 'Shared secret of another issuer. Tokens signed with it (HS256) are accepted too.'), 'gateway', 'live'),
  JWT_JWKS_URL: readBy(row(http, '', 'URL of the public keys (JWKS) of another issuer. Tokens signed with them (ES256 or RS256) are accepted too.'), 'gateway', 'live'),
  JWT_ISSUER: readBy(row(text(/^[\x21-\x7e]{1,255}$/, 'up to 255 printable characters without spaces'), '', 'The iss of the tokens of another issuer. Required with JWT_SECRET or JWT_JWKS_URL.'), 'gateway', 'live'),
  TRUSTED_PROXIES: readBy(row(networks, '', 'IP addresses or networks of proxies, separated by commas. X-Forwarded-For is accepted from these only.'), 'gateway'),
  CORS_ORIGINS: readBy(row(origins, '', 'Origins whose pages may send cookies, separated by commas. If empty, pages of every origin may call, without cookies.'), 'gateway'),
  CONSOLE: readBy(row(oneOf('on', 'off'), 'on', 'Whether the console is served at /console/.'), 'gateway'),
  HEADERS_TIMEOUT_SECONDS: readBy(row(seconds, '10', 'Time limit for receiving the headers of a request.'), 'gateway'),
  REQUEST_TIMEOUT_SECONDS: readBy(row(seconds, '30', 'Time limit for receiving a whole request.'), 'gateway'),
  SERVICE_TIMEOUT_MS: readBy(row(whole(1_500, 60_000), '3000', 'Milliseconds of a service for a request. A write waits at most 2.5 s for another.'), 'every app'),
  READ_STATEMENT_MS: readBy(row(whole(50, 600_000), '1000', 'Milliseconds of one read in Postgres, within SERVICE_TIMEOUT_MS.'), 'every app'),
  STORAGE_QUOTA_MB: readBy(row(whole(1, 100_000_000), '10000', 'Megabytes of events and replaced versions per practice and service, and of responses under keys per day. Beyond that, it may only read and delete.'), 'every app'),
  DISK_RESERVE_MB: ofMachine(readBy(row(whole(1, 100_000_000), '256', 'Megabytes of the disk with DATA_DIR that callers leave free. Below that, writes get 507 and reads go on.'), 'every app')),
  STREAM_MAX_AGE_DAYS: ofServers(readBy(row(whole(0, 36_500), '30', 'Days after which events leave the stream. The logs keep them and publish them again when needed. 0 keeps them in the stream too.'), 'every app')),
  STREAM_MAX_MB: ofServers(readBy(row(whole(0, 100_000_000), '0', 'Megabytes of the stream on each NATS server beyond which its oldest events leave it. NATS reserves them on its disk. 0 is no limit.'), 'every app')),
  STREAM_REPLICAS: ofServers(readBy(row(oneNumberOf(1, 3, 5), '1', 'Servers of the NATS cluster that store each event: 3 or 5, so that one or two may be lost. More than 1 needs NATS_URL.'), 'every app')),
  EXPORT_STORAGE_MB: readBy(row(whole(1, 100_000_000), '20000', 'Megabytes that the archives of exports may take, of all practices together. Beyond that, exports fail.'), 'identity'),
  KEY_ENCRYPTION_KEY: secret(longSecrets, '', 'Encrypts the signing keys and the secrets of second factors in the database. If empty, one is created and kept in DATA_DIR. Several, the newest first: it encrypts, all decrypt.'),
  SMTP_URL: readBy(secret(url('smtp', 'smtps'), '', 'Mail server, as smtp://user:password@host:587. Without one, mails are logged, but only if the API is reachable from this machine only.'), 'identity'),
  MAIL_FROM: readBy(row(address, '', 'Sender of mails. If empty, no-reply@ the host of the API.'), 'identity'),
  SITE_URL: readBy(row(http, '', 'Page of your app. Links in mails lead to it or to its origin. Passkeys work for its host only. If empty, the API.'), 'identity'),
  OAUTH_DYNAMIC_REGISTRATION: readBy(row(oneOf('yes', 'no'), 'no', 'Whether OAuth clients may register themselves (RFC 7591).'), 'identity'),
  MCP: readBy(row(oneOf('on', 'off'), 'on', 'Whether assistants reach the API at /mcp (Model Context Protocol).'), 'gateway'),
  MAX_IN_FLIGHT: readBy(row(whole(1, 100_000), '1000', 'Requests that one gateway processes at the same time. Further requests get 503.'), 'gateway'),
  MAX_CONNECTIONS_PER_ADDRESS: readBy(row(whole(1, 100_000), '512', 'Connections of one IP address (of one /64 network with IPv6) to one gateway; for callers behind TRUSTED_PROXIES, requests at the same time.'), 'gateway'),
  BODY_MEMORY_MB: readBy(row(whole(4, 100_000), '64', 'Megabytes that request bodies may take in one gateway; one practice may take a quarter. Further bodies get 503.'), 'gateway'),
  WEBHOOK_FORBIDDEN_NETWORKS: readBy(row(networks, '', 'IP addresses or networks that webhooks and requests for the metadata of OAuth clients may not be sent to, separated by commas: public addresses of your own platform. Private ones are always refused.'), 'webhooks', 'identity'),
  SCHEDULING_PROCESSES: ofMachine(row(whole(1, 16), '1', 'Number of scheduling processes.')),
  LIVE_PROCESSES: ofMachine(row(whole(1, 16), '1', 'Number of live processes, which keep the open connections of callers.')),
  BACKUP_TARGET: ofMachine(row(path, '', 'Folder for backups of the built-in Postgres, on another disk or machine. If empty, nothing is backed up.')),
  BACKUP_KEY: ofMachine(secret(text(/^(?:file:.+|[\w-]{43})$/, '32 bytes in base64url, or file: and a path'), '', 'Encrypts the backups. Keep it apart from them and from DATA_DIR.')),
  BACKUP_COMMAND: ofMachine(row(text(/./, 'a command'), '', 'Shell command that runs for each new file of a backup, with its path in BACKUP_FILE and its name in BACKUP_NAME.')),
} as const;

export type Settings = Values<typeof settings>;

/** Settings that can differ for one service. The variable begins with the name of the service, as in `CLIENTS_DATABASE_URL`. */
// prettier-ignore
export const serviceSettings = {
  DATABASE_URL: secret(postgres, '', 'A Postgres server for one service only, as in CLIENTS_DATABASE_URL or CLINICAL_NOTES_DATABASE_URL. It replaces DATABASE_URL and the built-in server there.'),
  DATABASE_POOL_URL: secret(postgres, '', 'The database of <SERVICE>_DATABASE_URL through PgBouncer.'),
  DATABASE_REPLICA_URL: secret(postgres, '', 'A streaming replica of the database of one service. It replaces DATABASE_REPLICA_URL there.'),
} as const;

export type ServiceSettings = Values<typeof serviceSettings>;

/** Settings that `npm start` and the containers derive for each process. README does not list them. */
// prettier-ignore
export const processSettings = {
  DATABASE_URL: secret(postgres, undefined, 'Logs in as the role of the service, to which row-level security applies, or as the owner of its schema.'),
  DATABASE_REPLICA_URL: secret(postgres, '', 'Logs in to a replica as the role of the service.'),
  RELAY_DATABASE_URL: secret(postgres, undefined, 'Logs in as the relay role of the service.'),
  NATS_URL: secret(nats, undefined, 'Logs in as the NATS user of the service.'),
  LIVE_URLS: row(httpOrigins, '', 'Where the live processes listen, separated by commas: `http://` and an address each. A gateway passes the calls of open connections on to them.'),
  DRAIN_SECONDS: row(whole(0, 60), '0', 'How long a stopping gateway serves while /readyz is 503, so that a proxy in front of several gateways notices.'),
  HEALTH_PORT: row(port, '0', 'Port of /livez and /readyz.'),
  METRICS_HOST: row(host, '127.0.0.1', 'Address of /metrics. No caller of the API may reach it.'),
  METRICS_PORT: row(port, '0', 'Port of /metrics.'),
  READ_CONNECTIONS: row(whole(1, 50), '2', 'Postgres connections for reads, each with many queries on the wire.'),
  WRITE_CONNECTIONS: row(whole(1, 100), '8', 'Postgres connections for writes, each with one transaction at a time.'),
  MAIL_TO_LOG: row(oneOf('yes', 'no'), 'no', 'Log mails that cannot be sent, including their links.'),
  CONFIRM_ADDRESSES: row(oneOf('yes', 'no'), 'yes', 'Whether a new address counts only once a mail to it was answered. Always yes with SMTP_URL.'),
  ANON_KEY: secret(key, undefined, 'The API key.'),
  KEY_ENCRYPTION_KEY: secret(longSecretsOrFile, undefined, 'Encrypts the signing keys: as PERSONAL_KEYS.'),
  DATA_DISK: row(path, '', 'Folder on the disk of the database, if this process can see it: writes end while the disk is almost full.'),
  PERSONAL_KEYS: secret(text(/./, 'keys, or file: and a path'), undefined, 'Key-encryption keys of the service for the keys of clients, the newest first, or `file:` and the path of a file with them.'),
  ERASURES_FILE: row(path, undefined, 'File with the erasures of the service, to apply again after a restore. Backups of the database must not replace it.'),
  WEBHOOK_LOOPBACK: row(oneOf('yes', 'no'), 'no', 'Whether webhooks and requests for the metadata of OAuth clients may be sent to this machine. Only for development.'),
  STATEMENT_PRIVATE_KEY: secret(base64url, undefined, 'Signs the identities of callers for the services: an Ed25519 key, PKCS #8 in base64url.'),
  STATEMENT_PUBLIC_KEYS: row(keyList, undefined, 'Verify the identities of callers: Ed25519 keys, SPKI in base64url, separated by commas.'),
} as const;

/**
 * Reads the values of `settings` from an environment.
 * @throws {SettingError} with one line for each variable that is missing or has a wrong value
 */
export function readSettings(environment: Environment): Settings {
  const values = readTable(settings, environment);
  requireIssuer(values);
  return values;
}

/** @throws {SettingError} if tokens of another issuer are accepted, whose name is missing */
export function requireIssuer(of: Pick<Settings, 'JWT_SECRET' | 'JWT_JWKS_URL' | 'JWT_ISSUER'>): void {
  if ((of.JWT_SECRET || of.JWT_JWKS_URL) && !of.JWT_ISSUER)
    throw new SettingError('JWT_ISSUER must be set if JWT_SECRET or JWT_JWKS_URL is set.');
}

const prefixOf = (service: string): string => `${service.replaceAll('-', '_').toUpperCase()}_`;

/** The names of the variables with a service's own settings. */
export const serviceVariables = (service: string): readonly string[] =>
  Object.keys(serviceSettings).map((name) => prefixOf(service) + name);

/**
 * Reads a service's own settings from an environment.
 * @throws {SettingError} with one line for each variable that has a wrong value
 */
export function readServiceSettings(service: string, environment: Environment): ServiceSettings {
  const prefix = prefixOf(service);
  const table = Object.entries(serviceSettings).map(([name, setting]) => [`${prefix}${name}`, setting]);
  const values = readTable(Object.fromEntries(table) as Record<string, Setting<string>>, environment);
  return {
    DATABASE_URL: values[`${prefix}DATABASE_URL`] ?? '',
    DATABASE_POOL_URL: values[`${prefix}DATABASE_POOL_URL`] ?? '',
    DATABASE_REPLICA_URL: values[`${prefix}DATABASE_REPLICA_URL`] ?? '',
  };
}

/** The variables with a service's own settings, with their values. */
export const serviceEnvironment = (service: string, values: ServiceSettings): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [prefixOf(service) + name, value]));

/** The variables of `settings` that processes of an app receive, as text. Empty ones are left out. */
export function settingsFor(app: string, values: Settings): Record<string, string> {
  const names = (Object.keys(settings) as (keyof Settings)[]).filter((name) =>
    settings[name].apps.some((one) => one === app || one === 'every app'),
  );
  return Object.fromEntries(
    names.map((name) => [name, String(values[name])] as const).filter(([, value]) => value !== ''),
  );
}

function row<T>(kind: Kind<T>, preset: string | undefined, meaning: string): Setting<T> {
  return { kind, preset, meaning, apps: [], isOfMachine: false, isOfServers: false, isSecret: false };
}

function secret<T>(kind: Kind<T>, preset: string | undefined, meaning: string): Setting<T> {
  return { ...row(kind, preset, meaning), isSecret: true };
}

/** A setting that the processes of these apps receive. */
function readBy<T>(setting: Setting<T>, ...apps: readonly string[]): Setting<T> {
  return { ...setting, apps };
}

/** A setting that has no effect in containers. */
function ofMachine<T>(setting: Setting<T>): Setting<T> {
  return { ...setting, isOfMachine: true };
}

/** A setting of Postgres or NATS that the step that prepares these servers needs. */
function ofServers<T>(setting: Setting<T>): Setting<T> {
  return { ...setting, isOfServers: true };
}
