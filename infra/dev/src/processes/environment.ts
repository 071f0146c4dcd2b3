// The environment of each process: the settings that its app reads, and its own credentials.
import { settingsFor, type Settings } from '@practice/settings';
import type { Infra } from '../infra.js';
import { rolesOf, type Service } from '../services.js';

export interface Whereabouts {
  readonly infra: Pick<Infra, 'databaseUrl' | 'natsUrl'>;
  readonly settings: Settings;
  readonly apikey: string;
  readonly keyEncryptionKey: string;
  /** Public URL of the API. */
  readonly baseUrl: string;
  /** URL of the gateway on this machine. */
  readonly origin: string;
  /** Port that the process listens on. */
  readonly port: number;
}

/** The environment of a process of `service`, without the variables that every program of this machine gets. */
export function environmentOf(service: Service, where: Whereabouts): Record<string, string> {
  const { infra, settings, port } = where;
  const roles = rolesOf(service);
  const all = {
    NODE_ENV: 'production',
    TZ: 'UTC',
    ...settingsFor(service.name, settings),
    NATS_URL: infra.natsUrl(service.name),
  };
  if (!service.answers) {
    return {
      ...all,
      HOST: settings.HOST,
      PORT: String(port),
      ANON_KEY: where.apikey,
      BASE_URL: where.baseUrl,
    };
  }
  return {
    ...all,
    DATABASE_URL: infra.databaseUrl(roles.requests),
    RELAY_DATABASE_URL: infra.databaseUrl(roles.relay),
    HOST: '127.0.0.1',
    HEALTH_PORT: String(port),
    ...(service.name === 'identity' ? identitySettings(where) : {}),
  };
}

function identitySettings({ settings, baseUrl, keyEncryptionKey }: Whereabouts): Record<string, string> {
  return {
    BASE_URL: baseUrl,
    KEY_ENCRYPTION_KEY: keyEncryptionKey,
    MAIL_TO_LOG: isLocal(settings) ? 'yes' : 'no',
  };
}

/** A mail lets its reader sign in, so mails are logged only if no other machine can reach the API. */
function isLocal({ HOST, BASE_URL, TRUSTED_PROXIES }: Settings): boolean {
  const isLoopback = ['127.0.0.1', '::1', 'localhost'].includes(HOST);
  return isLoopback && BASE_URL === '' && TRUSTED_PROXIES.length === 0;
}
