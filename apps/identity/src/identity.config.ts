// The settings of the identity service that other services do not have. libs/settings has a line for each variable.

import { processSettings, readTable, settings } from '@practice/settings';
import type { Environment } from '@practice/settings';

export interface IdentityConfig {
  readonly accessTokenTtlSeconds: number;
  readonly sessions: SessionConfig;
  /** Key-encryption keys for the signing keys and the secrets of second factors: as of `secretsIn`. */
  readonly keyEncryptionKey: string;
  readonly mail: MailConfig;
  /** Whether a new address counts only once a mail to it was answered; otherwise, as in development, at once. */
  readonly confirmsAddresses: boolean;
  /** The page of the app. Links in mails lead to it or to its origin. */
  readonly siteUrl: string;
  /** Public URL of the API, without a slash at the end; the issuer in tokens. */
  readonly baseUrl: string;
  /** Megabytes that the archives of all practices may take. */
  readonly archiveMegabytes: number;
  /** Where several processes count failed sign-ins together; undefined: each process counts its own. */
  readonly redisUrl: string | undefined;
}

/** How long a sign-in counts. */
export interface SessionConfig {
  /** A session ends after this time without a refresh. */
  readonly idleSeconds: number;
  /** A session ends this long after its sign-in. */
  readonly maxSeconds: number;
  /** A sign-in permits changes of the password, the address and the factors for this long. */
  readonly recentSeconds: number;
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
export const IDENTITY_CONFIG = Symbol('identity config');

const { ACCESS_TOKEN_TTL_SECONDS, BASE_URL, EXPORT_STORAGE_MB, REDIS_URL, SITE_URL, SMTP_URL, MAIL_FROM } =
  settings;
const { SESSION_IDLE_MINUTES, SESSION_MAX_HOURS, RECENT_SIGN_IN_MINUTES } = settings;
const { CONFIRM_ADDRESSES, KEY_ENCRYPTION_KEY, MAIL_TO_LOG } = processSettings;
const table = {
  ...{ ACCESS_TOKEN_TTL_SECONDS, BASE_URL, EXPORT_STORAGE_MB, REDIS_URL, SITE_URL },
  ...{ SESSION_IDLE_MINUTES, SESSION_MAX_HOURS, RECENT_SIGN_IN_MINUTES },
  ...{ SMTP_URL, MAIL_FROM, MAIL_TO_LOG, CONFIRM_ADDRESSES, KEY_ENCRYPTION_KEY },
};

/** @throws {SettingError} with one line for each variable that is missing or malformed */
export function readIdentityConfig(environment: Environment = process.env): IdentityConfig {
  const values = readTable(table, environment);
  const baseUrl = values.BASE_URL.replace(/\/+$/, '');
  return {
    accessTokenTtlSeconds: values.ACCESS_TOKEN_TTL_SECONDS,
    sessions: {
      idleSeconds: values.SESSION_IDLE_MINUTES * 60,
      maxSeconds: values.SESSION_MAX_HOURS * 3600,
      recentSeconds: values.RECENT_SIGN_IN_MINUTES * 60,
    },
    keyEncryptionKey: values.KEY_ENCRYPTION_KEY,
    mail: {
      ...(values.SMTP_URL && { smtpUrl: values.SMTP_URL }),
      from: values.MAIL_FROM || `no-reply@${new URL(baseUrl).hostname}`,
      isLogged: values.MAIL_TO_LOG === 'yes',
    },
    confirmsAddresses: values.CONFIRM_ADDRESSES === 'yes' || values.SMTP_URL !== '',
    siteUrl: values.SITE_URL || baseUrl,
    baseUrl,
    archiveMegabytes: values.EXPORT_STORAGE_MB,
    redisUrl: values.REDIS_URL || undefined,
  };
}

/** For the commands on keys. */
export const readKeyEncryptionKey = (environment: Environment = process.env): string =>
  readTable({ KEY_ENCRYPTION_KEY }, environment).KEY_ENCRYPTION_KEY;
