// Every environment variable of the product, one line each. README's table, the checks of `npm start` and of every process,
// and the environment of each process are derived from this table.

import { isNetwork, isOrigin, list, oneOf, text, url, whole } from './kinds.js';
import type { Kind } from './kinds.js';
import { readTable } from './read.js';
import type { Environment, Setting, Values } from './read.js';

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof levels)[number];

/** Clients renew a token 90 s before it expires, so they would renew a shorter one all the time. */
const MIN_TOKEN_SECONDS = 120;
export const MAX_TOKEN_SECONDS = 86_400;

const port = whole(0, 65_535);
const seconds = whole(1, 3600);
const limit = whole(0, 1_000_000_000);
const path = text(/^[^\0]+$/, 'a path');
const host = text(/^[A-Za-z0-9.:-]+$/, 'an IP address or a host name');
const key = text(/^[\x21-\x7e]{1,1024}$/, 'up to 1024 printable characters without spaces');
const longSecret = text(/^.{32,}$/, 'at least 32 characters long');
const address = text(/^(?:[^\r\n<>@]{0,100}<)?[^\s<>@]{1,64}@[^\s<>@]{1,255}>?$/, 'a mail address');
const http = url('http', 'https');
const postgres = url('postgres', 'postgresql');
const nats = url('nats', 'tls');
const networks = list(isNetwork, 'addresses or networks such as 10.0.0.0/8, separated by commas');
const origins = list(isOrigin, 'origins such as https://app.example, separated by commas');

/** Settings of `npm start` and of the containers. An empty preset: optional. */
// prettier-ignore
export const settings = {
  PORT: row(port, '8000', 'Port of the API. 0 picks a free one.'),
  HOST: row(host, '127.0.0.1', 'Address that the API listens on. 0.0.0.0 listens on all of them.'),
  BASE_URL: row(http, '', 'Public URL of the API, if it is not http://HOST:PORT. Tokens contain it as their issuer.'),
  DATA_DIR: row(path, '.data', 'Folder for everything permanent: databases, event streams, secrets, logs.'),
  CACHE_DIR: row(path, '.cache', 'Folder for downloaded programs such as nats-server.'),
  ANON_KEY: secret(key, '', 'API key that every request carries. If empty, one is created and kept in DATA_DIR.'),
  DATABASE_URL: secret(postgres, '', 'A Postgres server (15 or newer) to use instead of the built-in one. The user needs the right to create roles.'),
  NATS_URL: secret(nats, '', 'A NATS server (2.9 or newer, with JetStream and a max_payload of at least 2 MiB) to use instead of the built-in one.'),
  LIMIT_READS_PER_MINUTE: readBy(row(limit, '100', 'Reads (GET, HEAD) per user and minute. 0 removes the limit.'), 'gateway'),
  LIMIT_WRITES_PER_MINUTE: readBy(row(limit, '30', 'Writes (POST, PATCH, PUT, DELETE) per user and minute. 0 removes the limit.'), 'gateway'),
  LIMIT_AUTH_PER_MINUTE: readBy(row(limit, '10', 'Sign-ups, sign-ins and password recoveries per IP address and minute. 0 removes the limit.'), 'gateway'),
  REDIS_URL: readBy(secret(url('redis', 'rediss'), '', 'A Redis (6 or newer) or Valkey in which several processes share their counters. Without it, each process counts its own requests.'), 'gateway', 'identity'),
  LOG_LEVEL: readBy(row(oneOf(...levels), 'info', 'Lowest level that is logged. debug and trace also print every line to the terminal.'), 'every app'),
  ACCESS_TOKEN_TTL_SECONDS: readBy(row(whole(MIN_TOKEN_SECONDS, MAX_TOKEN_SECONDS), '3600', 'Lifetime of an access token.'), 'identity'),
  JWT_SECRET: readBy(secret(longSecret, '', 'Shared secret of another issuer. Tokens signed with it (HS256) are accepted too.'), 'gateway'),
  TRUSTED_PROXIES: readBy(row(networks, '', 'IP addresses or networks of proxies, separated by commas. X-Forwarded-For is accepted from these only.'), 'gateway'),
  CORS_ORIGINS: readBy(row(origins, '', 'Origins whose pages may send cookies, separated by commas. If empty, pages of every origin may call, without cookies.'), 'gateway'),
  HEADERS_TIMEOUT_SECONDS: readBy(row(seconds, '10', 'Time limit for receiving the headers of a request.'), 'gateway'),
  REQUEST_TIMEOUT_SECONDS: readBy(row(seconds, '30', 'Time limit for receiving a whole request.'), 'gateway'),
  KEY_ENCRYPTION_KEY: secret(longSecret, '', 'Encrypts the signing keys in the database. If empty, one is created and kept in DATA_DIR.'),
  SMTP_URL: readBy(secret(url('smtp', 'smtps'), '', 'Mail server, as smtp://user:password@host:587. Without one, mails are logged, but only if the API is reachable from this machine only.'), 'identity'),
  MAIL_FROM: readBy(row(address, '', 'Sender of mails. If empty, no-reply@ the host of the API.'), 'identity'),
  SITE_URL: readBy(row(http, '', 'Page of your app. Links in mails lead to it or to its origin. If empty, the API.'), 'identity'),
  MAX_IN_FLIGHT: readBy(row(whole(1, 100_000), '1000', 'Requests that one gateway processes at the same time. Further requests get 503.'), 'gateway'),
  SCHEDULING_PROCESSES: row(whole(1, 16), '1', 'Number of scheduling processes.'),
} as const;

export type Settings = Values<typeof settings>;

/** Settings that `npm start` and the containers derive for each process; README does not list them. */
// prettier-ignore
export const processSettings = {
  DATABASE_URL: secret(postgres, undefined, 'Logs in as the role of the service, or as the owner of its schema.'),
  RELAY_DATABASE_URL: secret(postgres, undefined, 'Logs in as the relay role of the service.'),
  NATS_URL: secret(nats, undefined, 'Logs in as the NATS user of the service.'),
  HEALTH_PORT: row(port, '0', 'Port of /livez and /readyz.'),
  READ_CONNECTIONS: row(whole(1, 50), '2', 'Postgres connections for reads.'),
  WRITE_CONNECTIONS: row(whole(1, 100), '8', 'Postgres connections for writes.'),
  MAIL_TO_LOG: row(oneOf('yes', 'no'), 'no', 'Log mails that cannot be sent, including their links.'),
  ANON_KEY: secret(key, undefined, 'The API key.'),
  KEY_ENCRYPTION_KEY: secret(longSecret, undefined, 'Encrypts the signing keys.'),
} as const;

/**
 * The settings of this run.
 * @throws {SettingError} with one line for each variable that has a wrong value
 */
export const readSettings = (environment: Environment): Settings => readTable(settings, environment);

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
  return { kind, preset, meaning, apps: [], isSecret: false };
}

function secret<T>(kind: Kind<T>, preset: string | undefined, meaning: string): Setting<T> {
  return { ...row(kind, preset, meaning), isSecret: true };
}

/** A setting whose value the processes of these apps receive. */
function readBy<T>(setting: Setting<T>, ...apps: readonly string[]): Setting<T> {
  return { ...setting, apps };
}
