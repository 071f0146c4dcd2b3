// Everything the gateway reads from its environment, checked once at startup. libs/settings has a line for each variable.

import { processSettings, readTable, SettingError, settings } from '@practice/settings';
import type { Environment, LogLevel } from '@practice/settings';

export interface GatewayConfig {
  readonly port: number;
  readonly host: string;
  readonly natsUrl: string;
  /** Address of /metrics. */
  readonly metrics: { readonly host: string; readonly port: number };
  /** Collector of traces; empty without tracing. */
  readonly traceEndpoint: string;
  /** The public key of the project. It identifies the project, not the user. */
  readonly anonKey: string;
  /** Signs the identities of callers for the services. */
  readonly statementKey: string;
  /** Requests per minute; 0 removes a limit. */
  readonly limits: { readonly reads: number; readonly writes: number; readonly auth: number };
  readonly logLevel: LogLevel;
  /** A secret shared with another issuer of tokens (HS256). Without one, such a token is rejected. */
  readonly jwtSecret?: string;
  /** Where another issuer publishes its public keys. */
  readonly jwksUrl?: string;
  /** The `iss` of that issuer's tokens; given with a secret or a URL. */
  readonly foreignIssuer?: string;
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
  /** Connections of one address. */
  readonly connectionsPerAddress: number;
  /** How long this process goes on serving once it was asked to end, in milliseconds. */
  readonly drainMs: number;
  /** Origins of the live processes. Without one, calls of open connections get 503. */
  readonly liveUrls: readonly string[];
  /** Memory for the bodies of all requests. */
  readonly bodyMemoryBytes: number;
}

/** Injection token of the settings. */
export const GATEWAY_CONFIG = Symbol('gateway config');

const { NATS_URL, ANON_KEY, STATEMENT_PRIVATE_KEY, METRICS_HOST, METRICS_PORT } = processSettings;
const { LIVE_URLS, DRAIN_SECONDS } = processSettings;
/** Only the variables of this process: it has no database, and no secrets of other processes. */
const table = {
  ...settings,
  ...{ NATS_URL, ANON_KEY, STATEMENT_PRIVATE_KEY, METRICS_HOST, METRICS_PORT },
  ...{ LIVE_URLS, DRAIN_SECONDS },
};

/**
 * Reads the gateway's settings.
 * @throws {SettingError} with one line for each variable that is missing or malformed
 */
export function readGatewayConfig(environment: Environment = process.env): GatewayConfig {
  const values = readTable(table, environment);
  const { JWT_SECRET, JWT_JWKS_URL, JWT_ISSUER, REDIS_URL } = values;
  if ((JWT_SECRET || JWT_JWKS_URL) && !JWT_ISSUER) {
    throw new SettingError('JWT_ISSUER must be set if JWT_SECRET or JWT_JWKS_URL is set.');
  }
  const baseUrl = values.BASE_URL.replace(/\/+$/, '') || `http://localhost:${values.PORT}`;
  return {
    port: values.PORT,
    host: values.HOST,
    natsUrl: values.NATS_URL,
    traceEndpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
    metrics: { host: values.METRICS_HOST, port: values.METRICS_PORT },
    anonKey: values.ANON_KEY,
    statementKey: values.STATEMENT_PRIVATE_KEY,
    limits: {
      reads: values.LIMIT_READS_PER_MINUTE,
      writes: values.LIMIT_WRITES_PER_MINUTE,
      auth: values.LIMIT_AUTH_PER_MINUTE,
    },
    logLevel: values.LOG_LEVEL,
    ...(JWT_SECRET && { jwtSecret: JWT_SECRET }),
    ...(JWT_JWKS_URL && { jwksUrl: JWT_JWKS_URL }),
    ...(JWT_ISSUER && { foreignIssuer: JWT_ISSUER }),
    trustedProxies: values.TRUSTED_PROXIES,
    baseUrl,
    isTls: baseUrl.startsWith('https:'),
    ...(REDIS_URL && { redisUrl: REDIS_URL }),
    corsOrigins: values.CORS_ORIGINS,
    headersWithinMs: values.HEADERS_TIMEOUT_SECONDS * 1000,
    requestWithinMs: values.REQUEST_TIMEOUT_SECONDS * 1000,
    maxInFlight: values.MAX_IN_FLIGHT,
    connectionsPerAddress: values.MAX_CONNECTIONS_PER_ADDRESS,
    drainMs: values.DRAIN_SECONDS * 1000,
    liveUrls: values.LIVE_URLS,
    bodyMemoryBytes: values.BODY_MEMORY_MB * 1024 * 1024,
  };
}
