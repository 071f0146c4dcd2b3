// Everything the gateway reads from its environment, checked once at startup.

import { type Environment, processSettings, readTable, requireIssuer, settings } from '@practice/settings';

/** libs/settings describes each variable. */
export type GatewayConfig = ReturnType<typeof readGatewayConfig>;

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
export function readGatewayConfig(environment: Environment = process.env) {
  const values = readTable(table, environment);
  const { JWT_SECRET, JWT_JWKS_URL, JWT_ISSUER, REDIS_URL } = values;
  requireIssuer(values);
  const baseUrl = values.BASE_URL.replace(/\/+$/, '') || `http://localhost:${values.PORT}`;
  return {
    port: values.PORT,
    host: values.HOST,
    natsUrl: values.NATS_URL,
    traceEndpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
    metrics: { host: values.METRICS_HOST, port: values.METRICS_PORT },
    anonKey: values.ANON_KEY,
    /** Signs the identities of callers for the services. */
    statementKey: values.STATEMENT_PRIVATE_KEY,
    /** Requests per minute; 0 removes a limit. */
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
    /** Without a slash at the end. */
    baseUrl,
    isTls: baseUrl.startsWith('https:'),
    ...(REDIS_URL && { redisUrl: REDIS_URL }),
    /** Origins whose pages may read responses, with cookies. If empty: every origin, without cookies. */
    corsOrigins: values.CORS_ORIGINS,
    headersWithinMs: values.HEADERS_TIMEOUT_SECONDS * 1000,
    requestWithinMs: values.REQUEST_TIMEOUT_SECONDS * 1000,
    serviceTimeoutMs: values.SERVICE_TIMEOUT_MS,
    maxInFlight: values.MAX_IN_FLIGHT,
    connectionsPerAddress: values.MAX_CONNECTIONS_PER_ADDRESS,
    drainMs: values.DRAIN_SECONDS * 1000,
    /** Origins of the live processes. Without one, calls of open connections get 503. */
    liveUrls: values.LIVE_URLS,
    hasConsole: values.CONSOLE === 'on',
    /** Whether the assistant's endpoint is enabled. */
    hasAssistant: values.MCP === 'on',
    bodyMemoryBytes: values.BODY_MEMORY_MB * 1024 * 1024,
  };
}
