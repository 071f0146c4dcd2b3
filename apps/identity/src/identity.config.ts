// The settings of the identity service that other services do not have. libs/settings has a line for each variable.

import { processSettings, readTable, settings } from '@practice/settings';
import type { Environment } from '@practice/settings';

export interface IdentityConfig {
  readonly accessTokenTtlSeconds: number;
  /** Encrypts the signing keys in the database. */
  readonly keyEncryptionKey: string;
  readonly mail: MailConfig;
  /** The page of the app. Links in mails lead to it or to its origin. */
  readonly siteUrl: string;
  /** Public URL of the API, without a slash at the end; the issuer in tokens. */
  readonly baseUrl: string;
  /** Where several processes count failed sign-ins together; undefined: each process counts its own. */
  readonly redisUrl: string | undefined;
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

const { ACCESS_TOKEN_TTL_SECONDS, BASE_URL, REDIS_URL, SITE_URL, SMTP_URL, MAIL_FROM } = settings;
const { KEY_ENCRYPTION_KEY, MAIL_TO_LOG } = processSettings;
const table = {
  ...{ ACCESS_TOKEN_TTL_SECONDS, BASE_URL, REDIS_URL, SITE_URL },
  ...{ SMTP_URL, MAIL_FROM, MAIL_TO_LOG, KEY_ENCRYPTION_KEY },
};

/** @throws {SettingError} with one line for each variable that is missing or malformed */
export function readIdentityConfig(environment: Environment = process.env): IdentityConfig {
  const values = readTable(table, environment);
  const baseUrl = values.BASE_URL.replace(/\/+$/, '');
  return {
    accessTokenTtlSeconds: values.ACCESS_TOKEN_TTL_SECONDS,
    keyEncryptionKey: values.KEY_ENCRYPTION_KEY,
    mail: {
      ...(values.SMTP_URL && { smtpUrl: values.SMTP_URL }),
      from: values.MAIL_FROM || `no-reply@${new URL(baseUrl).hostname}`,
      isLogged: values.MAIL_TO_LOG === 'yes',
    },
    siteUrl: values.SITE_URL || baseUrl,
    baseUrl,
    redisUrl: values.REDIS_URL || undefined,
  };
}

/** For the command that rotates keys. */
export const readKeyEncryptionKey = (environment: Environment = process.env): string =>
  readTable({ KEY_ENCRYPTION_KEY }, environment).KEY_ENCRYPTION_KEY;
