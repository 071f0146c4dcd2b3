// The settings that a live process reads from its environment, checked once at startup. libs/settings describes each variable.

import { processSettings, readTable, settings, type Environment } from '@practice/settings';

const { NATS_URL, ANON_KEY, METRICS_HOST, METRICS_PORT } = processSettings;
/** Only the variables of this process: it has no database, and no secrets of other processes. */
const table = { ...settings, ...{ NATS_URL, ANON_KEY, METRICS_HOST, METRICS_PORT } };

/**
 * Reads the settings of a live process.
 * @throws {SettingError} with one line for each variable that is missing or malformed
 */
export function readLiveConfig(environment: Environment = process.env) {
  const values = readTable(table, environment);
  const { JWT_SECRET, JWT_JWKS_URL, JWT_ISSUER, REDIS_URL } = values;
  return {
    host: values.HOST,
    port: values.PORT,
    natsUrl: values.NATS_URL,
    metrics: { host: values.METRICS_HOST, port: values.METRICS_PORT },
    traceEndpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
    serviceTimeoutMs: values.SERVICE_TIMEOUT_MS,
    logLevel: values.LOG_LEVEL,
    authentication: {
      anonKey: values.ANON_KEY,
      baseUrl: values.BASE_URL.replace(/\/+$/, ''),
      signInsPerMinute: values.LIMIT_AUTH_PER_MINUTE,
      ...(JWT_SECRET && { jwtSecret: JWT_SECRET }),
      ...(JWT_JWKS_URL && { jwksUrl: JWT_JWKS_URL }),
      ...(JWT_ISSUER && { foreignIssuer: JWT_ISSUER }),
    },
    ...(REDIS_URL && { redisUrl: REDIS_URL }),
  };
}
