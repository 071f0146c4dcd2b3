// Everything the gateway reads from its environment, checked once at startup. libs/settings has a line for each variable.

import { processSettings, readTable, settings } from '@practice/settings';
import type { Environment, LogLevel } from '@practice/settings';

export interface GatewayConfig {
  readonly port: number;
  readonly host: string;
  readonly natsUrl: string;
  /** The public key of the project. It identifies the project, not the user. */
  readonly anonKey: string;
  /** Requests per minute; 0 removes a limit. */
  readonly limits: { readonly reads: number; readonly writes: number; readonly auth: number };
  readonly logLevel: LogLevel;
  /** A secret shared with another issuer of tokens (HS256). Without one, such a token is rejected. */
  readonly jwtSecret?: string;
  /** Addresses and networks from which `X-Forwarded-For` is accepted. */
  readonly trustedProxies: readonly string[];
  /** Public URL of this gateway, without a slash at the end. */
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

/** Injection token of the settings. */
export const GATEWAY_CONFIG = Symbol('gateway config');

const { NATS_URL, ANON_KEY } = processSettings;
/** Only the variables of this process: it has no database, and no secrets of other processes. */
const table = {
  ...settings,
  ...{ NATS_URL, ANON_KEY },
};

/**
 * Reads the gateway's settings.
 * @throws {SettingError} with one line for each variable that is missing or malformed
 */
export function readGatewayConfig(environment: Environment = process.env): GatewayConfig {
  const values = readTable(table, environment);
  const { JWT_SECRET, REDIS_URL } = values;
  const baseUrl = values.BASE_URL.replace(/\/+$/, '') || `http://localhost:${values.PORT}`;
  return {
    port: values.PORT,
    host: values.HOST,
    natsUrl: values.NATS_URL,
    anonKey: values.ANON_KEY,
    limits: {
      reads: values.LIMIT_READS_PER_MINUTE,
      writes: values.LIMIT_WRITES_PER_MINUTE,
      auth: values.LIMIT_AUTH_PER_MINUTE,
    },
    logLevel: values.LOG_LEVEL,
    ...(JWT_SECRET && { jwtSecret: JWT_SECRET }),
    trustedProxies: values.TRUSTED_PROXIES,
    baseUrl,
    isTls: baseUrl.startsWith('https:'),
    ...(REDIS_URL && { redisUrl: REDIS_URL }),
    corsOrigins: values.CORS_ORIGINS,
    headersWithinMs: values.HEADERS_TIMEOUT_SECONDS * 1000,
    requestWithinMs: values.REQUEST_TIMEOUT_SECONDS * 1000,
    maxInFlight: values.MAX_IN_FLIGHT,
  };
}
