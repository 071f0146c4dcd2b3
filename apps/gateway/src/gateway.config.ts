// Everything the gateway takes from its environment, read and checked once at start.

import { isIP } from 'node:net';
import { logLevels, SettingError, settings } from '@practice/service';
import type { Environment, LogLevel, Settings } from '@practice/service';

export interface GatewayConfig {
  readonly port: number;
  readonly host: string;
  readonly databaseUrl: string;
  readonly relayDatabaseUrl: string;
  readonly natsUrl: string;
  /** The project's public key: says which project a caller means, and nothing about who they are. */
  readonly anonKey: string;
  /** Requests a minute; 0 switches a limit off. */
  readonly limits: { readonly reads: number; readonly writes: number; readonly auth: number };
  readonly logLevel: LogLevel;
  /** A secret shared with another issuer of tokens (HS256); without one such tokens are refused. */
  readonly jwtSecret?: string;
  readonly accessTokenTtlSeconds: number;
  /** Addresses and networks whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[];
  /** Opens the signing keys, which the database holds sealed. */
  readonly keyEncryptionKey: string;
  readonly mail: MailConfig;
  /** The app's own page: links in mails lead to it, and nowhere outside its origin. */
  readonly siteUrl: string;
  /** How callers reach this gateway, without a slash at the end: tokens name it as their issuer. */
  readonly baseUrl: string;
  /** Whether they reach it by TLS. */
  readonly isTls: boolean;
  /** Where several gateways count together; each counts for itself without it. */
  readonly redisUrl?: string;
  /** Origins whose pages may read answers, with cookies; every origin, without cookies, when empty. */
  readonly corsOrigins: readonly string[];
  /** How long a caller may take to send its headers, and its whole request. */
  readonly headersWithinMs: number;
  readonly requestWithinMs: number;
  /** Requests answered at the same time. */
  readonly maxInFlight: number;
}

/** Whether and how mail leaves. */
export interface MailConfig {
  /** `smtp://user:password@host:port`, or `smtps://…`. */
  readonly smtpUrl?: string;
  readonly from: string;
  /** Whether mail that can't be sent is written to the log, links and all: only where nobody else can reach the API. */
  readonly isLogged: boolean;
}

/** What the settings are injected by. */
export const GATEWAY_CONFIG = Symbol('gateway config');

const POSTGRES = ['postgres:', 'postgresql:'];
const HTTP = ['http:', 'https:'];
const MIN_SECRET_LENGTH = 32;
/** The longest life that access tokens may be given. */
export const MAX_TTL_SECONDS = 86_400;
/** Clients renew a token 90 s before it ends, so one that lives shorter would be renewed without end. */
const MIN_TTL_SECONDS = 120;

/**
 * Reads the gateway's settings.
 * @throws {SettingError} naming the first variable that is missing or malformed
 */
export function readGatewayConfig(environment: Environment = process.env): GatewayConfig {
  const from = settings(environment);
  const port = from.integer('PORT', { fallback: 8000, min: 0, max: 65_535 });
  const limit = (name: string, fallback: number): number =>
    from.integer(name, { fallback, min: 0, max: 1_000_000_000 });
  const seconds = (name: string, fallback: number): number =>
    from.integer(name, { fallback, min: 1, max: 3600 }) * 1000;
  const baseUrl = baseUrlOf(from, port);
  return {
    port,
    host: from.text('HOST', '127.0.0.1'),
    databaseUrl: from.url('DATABASE_URL', POSTGRES),
    relayDatabaseUrl: from.url('RELAY_DATABASE_URL', POSTGRES),
    natsUrl: from.url('NATS_URL', ['nats:', 'tls:']),
    anonKey: from.text('ANON_KEY'),
    limits: {
      reads: limit('LIMIT_READS_PER_MINUTE', 100),
      writes: limit('LIMIT_WRITES_PER_MINUTE', 30),
      auth: limit('LIMIT_AUTH_PER_MINUTE', 10),
    },
    logLevel: from.oneOf('LOG_LEVEL', logLevels, 'info'),
    ...sharedSecret(from.optionalText('JWT_SECRET')),
    accessTokenTtlSeconds: from.integer('ACCESS_TOKEN_TTL_SECONDS', {
      fallback: 3600,
      min: MIN_TTL_SECONDS,
      max: MAX_TTL_SECONDS,
    }),
    trustedProxies: networks('TRUSTED_PROXIES', from.optionalText('TRUSTED_PROXIES') ?? ''),
    baseUrl,
    isTls: baseUrl.startsWith('https:'),
    ...redisUrlOf(from),
    corsOrigins: origins('CORS_ORIGINS', from.optionalText('CORS_ORIGINS') ?? ''),
    headersWithinMs: seconds('HEADERS_TIMEOUT_SECONDS', 10),
    requestWithinMs: seconds('REQUEST_TIMEOUT_SECONDS', 30),
    maxInFlight: from.integer('MAX_IN_FLIGHT', { fallback: 1000, min: 1, max: 100_000 }),
    keyEncryptionKey: longSecret('KEY_ENCRYPTION_KEY', from.text('KEY_ENCRYPTION_KEY')),
    mail: mailConfig(from, baseUrl),
    siteUrl: from.optionalText('SITE_URL') === undefined ? baseUrl : from.url('SITE_URL', HTTP),
  };
}

/**
 * What the command that rotates signing keys is told.
 * @throws {SettingError} naming the first variable that is missing or malformed
 */
export function readKeysConfig(
  environment: Environment = process.env,
): Pick<GatewayConfig, 'databaseUrl' | 'keyEncryptionKey'> {
  const from = settings(environment);
  return {
    databaseUrl: from.url('DATABASE_URL', POSTGRES),
    keyEncryptionKey: longSecret('KEY_ENCRYPTION_KEY', from.text('KEY_ENCRYPTION_KEY')),
  };
}

function mailConfig(from: Settings, baseUrl: string): MailConfig {
  const isSent = from.optionalText('SMTP_URL') !== undefined;
  return {
    ...(isSent ? { smtpUrl: from.url('SMTP_URL', ['smtp:', 'smtps:']) } : {}),
    from: from.optionalText('MAIL_FROM') ?? `no-reply@${new URL(baseUrl).hostname}`,
    isLogged: from.oneOf('MAIL_TO_LOG', ['no', 'yes'], 'no') === 'yes',
  };
}

const baseUrlOf = (from: Settings, port: number): string =>
  from.optionalText('BASE_URL') === undefined
    ? `http://localhost:${port}`
    : from.url('BASE_URL', HTTP).replace(/\/+$/, '');

const redisUrlOf = (from: Settings): Pick<GatewayConfig, 'redisUrl'> =>
  from.optionalText('REDIS_URL') === undefined
    ? {}
    : { redisUrl: from.url('REDIS_URL', ['redis:', 'rediss:']) };

function sharedSecret(jwtSecret: string | undefined): Pick<GatewayConfig, 'jwtSecret'> {
  return jwtSecret === undefined ? {} : { jwtSecret: longSecret('JWT_SECRET', jwtSecret) };
}

function longSecret(name: string, secret: string): string {
  if (secret.length >= MIN_SECRET_LENGTH) return secret;
  throw new SettingError(name, `at least ${MIN_SECRET_LENGTH} characters long`);
}

const partsOf = (list: string): string[] =>
  list
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);

/** Compared byte by byte with what browsers send, so each must be written as they do. */
function origins(name: string, list: string): string[] {
  const parts = partsOf(list);
  if (!parts.every((part) => URL.canParse(part) && new URL(part).origin === part))
    throw new SettingError(name, 'a list of origins like https://app.example');
  return parts;
}

function networks(name: string, list: string): string[] {
  const parts = partsOf(list);
  if (!parts.every(isNetwork))
    throw new SettingError(name, 'a list of addresses and networks like 10.0.0.0/8');
  return parts;
}

function isNetwork(part: string): boolean {
  const [address = '', bits, ...rest] = part.split('/');
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return (
    longest > 0 &&
    rest.length === 0 &&
    (bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= longest))
  );
}
