// The only place that reads the environment. README's table of variables is this one.
import { oneOf, readVariables, text, url, whole, type Values, type Variable } from './variables.js';

/** Every variable that `npm start` knows. */
export const variables = {
  PORT: { default: '8000', meaning: 'Port of the API; 0 takes a free one.', ...whole(0, 65535) },
  HOST: {
    default: '127.0.0.1',
    meaning: 'Address that the API listens on; 0.0.0.0 for all.',
    ...text(/^[A-Za-z0-9.:-]+$/, 'an IP address or a host name'),
  },
  BASE_URL: {
    default: '',
    meaning: 'How callers reach the API, where that is not http://HOST:PORT; tokens name it as their issuer.',
    ...url('http', 'https'),
  },
  DATA_DIR: {
    default: '.data',
    meaning: 'Folder for everything that must last: databases, event streams, secrets, logs.',
    ...text(/^[^\0]+$/, 'a path'),
  },
  CACHE_DIR: {
    default: '.cache',
    meaning: 'Folder for programs fetched once, such as nats-server.',
    ...text(/^[^\0]+$/, 'a path'),
  },
  ANON_KEY: {
    isSecret: true,
    default: '',
    meaning: 'The API key that every call carries; made once and kept in DATA_DIR when empty.',
    ...text(/^[\x21-\x7e]{0,1024}$/, 'up to 1024 printable characters without spaces'),
  },
  DATABASE_URL: {
    isSecret: true,
    default: '',
    meaning: 'A Postgres (15 or newer) to use instead of the built-in one, as a user who may create roles.',
    ...url('postgres', 'postgresql'),
  },
  NATS_URL: {
    isSecret: true,
    default: '',
    meaning:
      'A NATS server (2.9 or newer, JetStream on, max_payload 2 MiB or more) to use instead of the built-in one.',
    ...url('nats', 'tls'),
  },
  LIMIT_READS_PER_MINUTE: limit('100', 'Reads (GET, HEAD) that one user may make in a minute'),
  LIMIT_WRITES_PER_MINUTE: limit(
    '30',
    'Writes (POST, PATCH, PUT, DELETE) that one user may make in a minute',
  ),
  LIMIT_AUTH_PER_MINUTE: limit(
    '10',
    'Sign-ups, sign-ins and recoveries that one address may make in a minute',
  ),
  REDIS_URL: {
    isSecret: true,
    default: '',
    meaning:
      'A Redis (6 or newer) or Valkey in which several gateways count together; each counts for itself without.',
    ...url('redis', 'rediss'),
  },
  LOG_LEVEL: {
    default: 'info',
    meaning: 'Least level that is logged; debug and trace also show everything in the terminal.',
    ...oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
  },
  ACCESS_TOKEN_TTL_SECONDS: {
    default: '3600',
    meaning: 'How long an access token is good for.',
    ...whole(120, 86_400),
  },
  JWT_SECRET: {
    isSecret: true,
    default: '',
    meaning: 'A shared secret: tokens that another issuer signed with it (HS256) are accepted too.',
    ...text(/^(.{32,}|)$/, 'at least 32 characters'),
  },
  TRUSTED_PROXIES: {
    default: '',
    meaning: 'Addresses or networks of proxies whose X-Forwarded-For is believed, separated by commas.',
    ...text(/^([0-9A-Fa-f.:/]+(\s*,\s*[0-9A-Fa-f.:/]+)*)?$/, 'addresses or networks separated by commas'),
  },
  CORS_ORIGINS: {
    default: '',
    meaning:
      'Origins whose pages may call with cookies, separated by commas; empty: pages of every origin, without cookies.',
    ...text(
      /^(https?:\/\/[^\s/,]+(\s*,\s*https?:\/\/[^\s/,]+)*)?$/,
      'origins like https://app.example, separated by commas',
    ),
  },
  HEADERS_TIMEOUT_SECONDS: {
    default: '10',
    meaning: 'How long a caller may take to send the headers of a request.',
    ...whole(1, 3600),
  },
  REQUEST_TIMEOUT_SECONDS: {
    default: '30',
    meaning: 'How long a caller may take to send a whole request.',
    ...whole(1, 3600),
  },
  KEY_ENCRYPTION_KEY: {
    isSecret: true,
    default: '',
    meaning: 'Seals the keys that sign tokens, in the database; made once and kept in DATA_DIR when empty.',
    ...text(/^(.{32,}|)$/, 'at least 32 characters'),
  },
  SMTP_URL: {
    isSecret: true,
    default: '',
    meaning:
      'Mail server, smtp://user:password@host:587. Without one, mail is logged where only this machine calls.',
    ...url('smtp', 'smtps'),
  },
  MAIL_FROM: {
    default: '',
    meaning: 'Address that mail comes from; no-reply@ the host of the API when empty.',
    ...text(/^(?:(?:[^\r\n<>@]{0,100}<)?[^\s<>@]{1,64}@[^\s<>@]{1,255}>?)?$/, 'a mail address'),
  },
  SITE_URL: {
    default: '',
    meaning:
      'Page of your app that links in mails lead to, or to others of its origin; the API itself when empty.',
    ...url('http', 'https'),
  },
  MAX_IN_FLIGHT: {
    default: '1000',
    meaning: 'Requests that one gateway answers at the same time; one more is refused at once.',
    ...whole(1, 100_000),
  },
  SCHEDULING_PROCESSES: {
    default: '1',
    meaning: 'How many processes serve scheduling; any number may.',
    ...whole(1, 16),
  },
} as const satisfies Record<string, Variable<unknown>>;

export type Settings = Values<typeof variables>;

/**
 * The settings of this run.
 * @throws {Failure} naming each variable with a wrong value
 */
export function readSettings(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Settings {
  return readVariables(variables, environment);
}

/** What a program needs of this machine's environment to run at all, and nothing that could steer it. */
export function machineEnvironment(): Record<string, string> {
  const names = ['PATH', 'HOME', 'LANG', 'TMPDIR', 'SystemRoot', 'NODE_EXTRA_CA_CERTS'];
  return Object.fromEntries(
    names.map((name) => [name, process.env[name] ?? '']).filter(([, value]) => value !== ''),
  );
}

/** Whether npm started this process, so that npm's end means that it should end as well. */
export function runsUnderNpm(): boolean {
  return process.env['npm_lifecycle_event'] !== undefined;
}

function limit(preset: string, meaning: string) {
  return { default: preset, meaning: `${meaning}; 0 switches the limit off.`, ...whole(0, 1_000_000) };
}
