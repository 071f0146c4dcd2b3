// What each process is told: what it needs, and nothing of what the others need.
import type { Settings } from '../dev.config.js';
import type { Infra } from '../infra.js';
import { rolesOf, type Service } from '../services.js';

export interface Whereabouts {
  readonly infra: Pick<Infra, 'databaseUrl' | 'natsUrl'>;
  readonly settings: Settings;
  readonly apikey: string;
  readonly keyEncryptionKey: string;
  /** Where callers reach the API: in front of a proxy, if there is one. */
  readonly baseUrl: string;
  /** Where this machine reaches the gateway. */
  readonly origin: string;
  /** Port that the process listens on. */
  readonly port: number;
}

/** The environment of a process of `service`, beside what any program of this machine needs. */
export function environmentOf(service: Service, where: Whereabouts): Record<string, string> {
  const { infra, settings, port } = where;
  const roles = rolesOf(service);
  const parts = {
    NODE_ENV: 'production',
    TZ: 'UTC',
    LOG_LEVEL: settings.LOG_LEVEL,
    DATABASE_URL: infra.databaseUrl(roles.requests),
    RELAY_DATABASE_URL: infra.databaseUrl(roles.relay),
    NATS_URL: infra.natsUrl(service.name),
  };
  if (service.answers) return { ...parts, HOST: '127.0.0.1', HEALTH_PORT: String(port) };
  return { ...parts, HOST: settings.HOST, PORT: String(port), ...edgeSettings(where) };
}

function edgeSettings({ settings, apikey, keyEncryptionKey, baseUrl }: Whereabouts): Record<string, string> {
  return {
    ANON_KEY: apikey,
    BASE_URL: baseUrl,
    LIMIT_READS_PER_MINUTE: String(settings.LIMIT_READS_PER_MINUTE),
    LIMIT_WRITES_PER_MINUTE: String(settings.LIMIT_WRITES_PER_MINUTE),
    LIMIT_AUTH_PER_MINUTE: String(settings.LIMIT_AUTH_PER_MINUTE),
    ACCESS_TOKEN_TTL_SECONDS: String(settings.ACCESS_TOKEN_TTL_SECONDS),
    JWT_SECRET: settings.JWT_SECRET,
    TRUSTED_PROXIES: settings.TRUSTED_PROXIES,
    REDIS_URL: settings.REDIS_URL,
    CORS_ORIGINS: settings.CORS_ORIGINS,
    HEADERS_TIMEOUT_SECONDS: String(settings.HEADERS_TIMEOUT_SECONDS),
    REQUEST_TIMEOUT_SECONDS: String(settings.REQUEST_TIMEOUT_SECONDS),
    KEY_ENCRYPTION_KEY: keyEncryptionKey,
    SMTP_URL: settings.SMTP_URL,
    MAIL_FROM: settings.MAIL_FROM,
    MAIL_TO_LOG: isDevelopment(settings) ? 'yes' : 'no',
    SITE_URL: settings.SITE_URL,
    MAX_IN_FLIGHT: String(settings.MAX_IN_FLIGHT),
  };
}

/** Mail lets its reader in, so it is logged only where nobody but this machine can have asked for it. */
function isDevelopment({ HOST, BASE_URL, TRUSTED_PROXIES }: Settings): boolean {
  const isAlone = ['127.0.0.1', '::1', 'localhost'].includes(HOST);
  return isAlone && BASE_URL === '' && TRUSTED_PROXIES === '';
}
