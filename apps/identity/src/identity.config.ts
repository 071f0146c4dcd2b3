// The settings of the identity service that other services do not have.

import { readAddressPolicy } from '@practice/outbound';
import { processSettings, readTable, settings, type Environment } from '@practice/settings';

/** libs/settings describes each variable. */
export type IdentityConfig = ReturnType<typeof readIdentityConfig>;
/** How long sessions last, and how long a sign-in is recent. */
export type SessionConfig = IdentityConfig['sessions'];

/** Injection token of the settings. */
export const IDENTITY_CONFIG = Symbol('identity config');

const { CONFIRM_ADDRESSES, KEY_ENCRYPTION_KEY, MAIL_TO_LOG } = processSettings;
const table = { ...settings, ...{ CONFIRM_ADDRESSES, KEY_ENCRYPTION_KEY, MAIL_TO_LOG } };

/** @throws {SettingError} with one line for each variable that is missing or malformed */
export function readIdentityConfig(environment: Environment = process.env) {
  const values = readTable(table, environment);
  const baseUrl = values.BASE_URL.replace(/\/+$/, '');
  return {
    accessTokenTtlSeconds: values.ACCESS_TOKEN_TTL_SECONDS,
    sessions: {
      /** A session ends after this time without a refresh. */
      idleSeconds: values.SESSION_IDLE_MINUTES * 60,
      /** A session ends this long after its sign-in. */
      maxSeconds: values.SESSION_MAX_HOURS * 3600,
      /** A sign-in permits changes of the password, the address and the factors for this long. */
      recentSeconds: values.RECENT_SIGN_IN_MINUTES * 60,
    },
    /** Seals signing keys, secrets of second factors and OAuth data. The format is that of `secretsIn`. */
    keyEncryptionKey: values.KEY_ENCRYPTION_KEY,
    mail: {
      ...(values.SMTP_URL && { smtpUrl: values.SMTP_URL }),
      from: values.MAIL_FROM || `no-reply@${new URL(baseUrl).hostname}`,
      /** Whether mails that cannot be sent are logged with their links: only if no other machine can reach the API. */
      isLogged: values.MAIL_TO_LOG === 'yes',
    },
    /** Whether a new address takes effect only after a response to a mail. Otherwise, as in development, it takes effect at once. */
    confirmsAddresses: values.CONFIRM_ADDRESSES === 'yes' || values.SMTP_URL !== '',
    siteUrl: values.SITE_URL || baseUrl,
    /** Without a slash at the end; the issuer in tokens. */
    baseUrl,
    /** The addresses from which metadata documents of OAuth clients may be fetched. */
    outbound: readAddressPolicy(environment),
    /** Whether OAuth clients may register themselves. */
    dynamicRegistration: values.OAUTH_DYNAMIC_REGISTRATION === 'yes',
    archiveMegabytes: values.EXPORT_STORAGE_MB,
    redisUrl: values.REDIS_URL || undefined,
  };
}

/** For the commands on keys. */
export const readKeyEncryptionKey = (environment: Environment = process.env): string =>
  readTable({ KEY_ENCRYPTION_KEY }, environment).KEY_ENCRYPTION_KEY;
