// Everything the gateway reads from its environment, checked once at startup. libs/settings has a line for each variable.

import { processSettings, readTable, settings } from '@practice/settings';
import type { Environment, LogLevel } from '@practice/settings';

export interface GatewayConfig {
  readonly port: number;
  readonly host: string;
  readonly databaseUrl: string;
  readonly relayDatabaseUrl: string;
  readonly natsUrl: string;
  /** The public key of the project. It identifies the project, not the user. */
  readonly anonKey: string;
  /** Requests per minute; 0 removes a limit. */
  readonly limits: { readonly reads: number; readonly writes: number; readonly auth: number };
  readonly logLevel: LogLevel;
  /** A secret shared with another issuer of tokens (HS256). Without one, such a token is rejected. */
  readonly jwtSecret?: string;
  readonly accessTokenTtlSeconds: number;
  /** Addresses and networks from which `X-Forwarded-For` is accepted. */
  readonly trustedProxies: readonly string[];
  /** Decrypts the signing keys in the database. */
  readonly keyEncryptionKey: string;
  readonly mail: MailConfig;
  /** The page of the app. Links in mails lead to it or to its origin. */
  readonly siteUrl: string;
  /** Public URL of this gateway, without a slash at the end; the issuer in tokens. */
  readonly baseUrl: string;
  /** Whether callers use TLS. */
  readonly isTls: boolean;
  /** Where several gateways share counters. Without it, each counts its own. */
  readonly redisUrl?: string;
  /** Origins whose pages may read responses, with cookies. If empty: every origin, without cookies. */
  readonly corsOrigins: readonly string[];
  /** Time limits for receiving the headers and the whole of a request. */
  readonly headersWithinMs: number;
  readonly requestWithinMs: number;
  /** Requests processed at the same time. */
  readonly maxInFlight: number;
}

/** Whether and how mail is sent. */
export interface MailConfig {
  /** `smtp://user:password@host:port`, or `smtps://…`. */
  readonly smtpUrl?: string;
  readonly from: string;
  /** Log mails that cannot be sent, with their links: only if no other machine can reach the API. */
  readonly isLogged: boolean;
}

/** Injection token of the settings. */
export const GATEWAY_CONFIG = Symbol('gateway config');

/**
 * Reads the gateway's settings.
 * @throws {SettingError} with one line for each variable that is missing or malformed
 */
export function readGatewayConfig(environment: Environment = process.env): GatewayConfig {
  const values = readTable({ ...settings, ...processSettings }, environment);
  const { JWT_SECRET, REDIS_URL } = values;
  const baseUrl = values.BASE_URL.replace(/\/+$/, '') || `http://localhost:${values.PORT}`;
  return {
    port: values.PORT,
    host: values.HOST,
    databaseUrl: values.DATABASE_URL,
    relayDatabaseUrl: values.RELAY_DATABASE_URL,
    natsUrl: values.NATS_URL,
    anonKey: values.ANON_KEY,
    limits: {
      reads: values.LIMIT_READS_PER_MINUTE,
      writes: values.LIMIT_WRITES_PER_MINUTE,
      auth: values.LIMIT_AUTH_PER_MINUTE,
    },
    logLevel: values.LOG_LEVEL,
    ...(JWT_SECRET && { jwtSecret: JWT_SECRET }),
    accessTokenTtlSeconds: values.ACCESS_TOKEN_TTL_SECONDS,
    trustedProxies: values.TRUSTED_PROXIES,
    baseUrl,
    isTls: baseUrl.startsWith('https:'),
    ...(REDIS_URL && { redisUrl: REDIS_URL }),
    corsOrigins: values.CORS_ORIGINS,
    headersWithinMs: values.HEADERS_TIMEOUT_SECONDS * 1000,
    requestWithinMs: values.REQUEST_TIMEOUT_SECONDS * 1000,
    maxInFlight: values.MAX_IN_FLIGHT,
    keyEncryptionKey: values.KEY_ENCRYPTION_KEY,
    mail: {
      ...(values.SMTP_URL && { smtpUrl: values.SMTP_URL }),
      from: values.MAIL_FROM || `no-reply@${new URL(baseUrl).hostname}`,
      isLogged: values.MAIL_TO_LOG === 'yes',
    },
    siteUrl: values.SITE_URL || baseUrl,
  };
}

/**
 * The settings of the command that rotates signing keys.
 * @throws {SettingError} with one line for each variable that is missing or malformed
 */
export function readKeysConfig(
  environment: Environment = process.env,
): Pick<GatewayConfig, 'databaseUrl' | 'keyEncryptionKey'> {
  const { DATABASE_URL, KEY_ENCRYPTION_KEY } = processSettings;
  const values = readTable({ DATABASE_URL, KEY_ENCRYPTION_KEY }, environment);
  return { databaseUrl: values.DATABASE_URL, keyEncryptionKey: values.KEY_ENCRYPTION_KEY };
}
