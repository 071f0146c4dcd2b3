import { openCounters } from '@practice/limits';
import type { ServiceExtension, ServiceParts, ServiceRuntime } from '@practice/service';
import { CrossTenantConnection } from '@practice/service';
import { AccountController } from './accounts/account.controller.js';
import { InfoCalls } from './accounts/info-calls.js';
import { RecoveryCalls } from './accounts/recovery-calls.js';
import { SessionCalls } from './accounts/session-calls.js';
import { TokenCalls } from './accounts/token-calls.js';
import { UserCalls } from './accounts/user-calls.js';
import { COUNTERS } from './counters.js';
import { Lockout } from './credentials/lockout.js';
import { PasswordCheck } from './credentials/password-check.js';
import { Passwords } from './credentials/passwords.js';
import { GatewayAnnouncements } from './gateway/announcements.js';
import { GatewayController } from './gateway/gateway.controller.js';
import { IDENTITY_CONFIG, readIdentityConfig } from './identity.config.js';
import { SigningKeys } from './keys/signing-keys.js';
import { ExchangeCode } from './mail/exchange-code.js';
import { MailThrottle } from './mail/mail-throttle.js';
import { OutgoingMail } from './mail/outgoing-mail.js';
import { Reauthenticate } from './mail/reauthenticate.js';
import { RequestRecovery } from './mail/request-recovery.js';
import { SiteLinks } from './mail/site-links.js';
import { UseRecovery } from './mail/use-recovery.js';
import { PersonalTokens } from './personal-tokens/personal-tokens.js';
import { RefreshSession } from './sessions/refresh-session.js';
import { RefreshTokenRotation } from './sessions/refresh-token-rotation.js';
import { SessionIssue } from './sessions/session-issue.js';
import { Sessions } from './sessions/sessions.js';
import { SignIn } from './sessions/sign-in.js';
import { SignOut } from './sessions/sign-out.js';
import { privateTables } from './tables.js';
import { Transactions } from './transactions.js';
import { ChangeUser } from './users/change-user.js';
import { SignUp } from './users/sign-up.js';
import { practice, user } from './users/user.js';

/** The identity service: users, practices, sessions, tokens, signing keys and mail. */
export const identity: ServiceParts = {
  service: 'identity',
  deciders: [practice, user],
  tables: privateTables,
  extension,
};

function extension({ connection, crossTenant, logger }: ServiceRuntime): ServiceExtension {
  const config = readIdentityConfig();
  return {
    controllers: [AccountController, GatewayController],
    providers: [
      { provide: IDENTITY_CONFIG, useValue: config },
      { provide: COUNTERS, useFactory: () => openCounters('identity', config.redisUrl, logger) },
      { provide: CrossTenantConnection, useValue: crossTenant },
      { provide: GatewayAnnouncements, useValue: new GatewayAnnouncements(connection) },
      { provide: OutgoingMail, useValue: new OutgoingMail(config.mail, logger) },
      { provide: RefreshTokenRotation, useValue: new RefreshTokenRotation(config.keyEncryptionKey) },
      ...[SessionCalls, UserCalls, RecoveryCalls, TokenCalls, InfoCalls],
      ...[SignUp, ChangeUser, SignIn, SignOut, RefreshSession, SessionIssue, Sessions, Transactions],
      ...[Passwords, PasswordCheck, Lockout, SigningKeys, PersonalTokens],
      ...[RequestRecovery, UseRecovery, ExchangeCode, Reauthenticate, MailThrottle, SiteLinks],
    ],
  };
}
