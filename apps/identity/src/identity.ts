import { openCounters } from '@practice/limits';
import type { ServiceExtension, ServiceParts, ServiceRuntime } from '@practice/service';
import type { WriteEffect } from '@practice/write';
import { Effects } from '@practice/write';
import { AccountController } from './accounts/account.controller.js';
import { FactorCalls } from './accounts/factor-calls.js';
import { InfoCalls } from './accounts/info-calls.js';
import { MailCalls } from './accounts/mail-calls.js';
import { SessionCalls } from './accounts/session-calls.js';
import { TokenCalls } from './accounts/token-calls.js';
import { UserCalls } from './accounts/user-calls.js';
import { VerificationCalls } from './accounts/verification-calls.js';
import { CreateCalendarLink } from './calendar-links/create-calendar-link.js';
import { ListCalendarLinks } from './calendar-links/list-calendar-links.js';
import { PresentedCalendarLinks } from './calendar-links/presented-calendar-link.js';
import { RevokeCalendarLink } from './calendar-links/revoke-calendar-link.js';
import { ConfirmAddressChange } from './confirmation/confirm-address-change.js';
import { ConfirmSignUp } from './confirmation/confirm-sign-up.js';
import { ConfirmedAddress } from './confirmation/confirmed-address.js';
import { unanswered } from './confirmation/unanswered.js';
import { oldSessions } from './sessions/old-sessions.js';
import { RequestAddressChange } from './confirmation/request-address-change.js';
import { RequestSignUp } from './confirmation/request-sign-up.js';
import { ResendMail } from './confirmation/resend-mail.js';
import { COUNTERS } from './counters.js';
import { Lockout } from './credentials/lockout.js';
import { PasswordCheck } from './credentials/password-check.js';
import { Passwords } from './credentials/passwords.js';
import { RecentSignIn } from './credentials/recent-sign-in.js';
import { ClosePractice } from './end-of-practice/close-practice.js';
import { EraseDue } from './end-of-practice/erase-due.js';
import { EraseFromBus } from './end-of-practice/erase-from-bus.js';
import { ErasePractice } from './end-of-practice/erase-practice.js';
import { ErasedServices } from './end-of-practice/erased-services.js';
import { ReopenPractice } from './end-of-practice/reopen-practice.js';
import { ErasureController } from './erasures/erasure.controller.js';
import { DeliveredArchives } from './exports/delivered-archives.js';
import { EndExports } from './exports/end-exports.js';
import { practiceExport } from './exports/export.js';
import { ExportController } from './exports/export.controller.js';
import { ExportPractice } from './exports/export-practice.js';
import { ExportWorkSteps } from './exports/export-work.js';
import { BreakGlass } from './functions/break-glass.js';
import { CreateRecoveryCodes } from './functions/create-recovery-codes.js';
import { CurrentIdentity } from './functions/current-identity.js';
import { EndMemberSessions } from './functions/end-member-sessions.js';
import { EndSession } from './functions/end-session.js';
import { OpenSessions } from './functions/open-sessions.js';
import { GatewayAnnouncements } from './gateway/announcements.js';
import { GatewayController } from './gateway/gateway.controller.js';
import { IDENTITY_CONFIG, readIdentityConfig } from './identity.config.js';
import { SigningKeys } from './keys/signing-keys.js';
import { LogRoots } from './seals/log-roots.js';
import { LogSeals } from './seals/log-seals.js';
import { ExchangeCode } from './mail/exchange-code.js';
import { MailGate } from './mail/mail-gate.js';
import { MailThrottle } from './mail/mail-throttle.js';
import { OutgoingMail } from './mail/outgoing-mail.js';
import { Reauthenticate } from './mail/reauthenticate.js';
import { RequestRecovery } from './mail/request-recovery.js';
import { SiteLinks } from './mail/site-links.js';
import { UseRecovery } from './mail/use-recovery.js';
import { ChallengeFactor } from './mfa/challenge-factor.js';
import { EnrollFactor } from './mfa/enroll-factor.js';
import { FactorLock } from './mfa/factor-lock.js';
import { FactorSecrets } from './mfa/factor-secrets.js';
import { ResetFactors } from './mfa/reset-factors.js';
import { UnenrollFactor } from './mfa/unenroll-factor.js';
import { VerifyFactor } from './mfa/verify-factor.js';
import { AcceptInvitation } from './people/accept-invitation.js';
import { EndHold } from './people/end-hold.js';
import { Founders } from './people/founders.js';
import { InvitationMail } from './people/invitation-mail.js';
import { LeavePractice } from './people/leave-practice.js';
import { membership } from './people/membership.js';
import { MembershipEffect } from './people/membership-effect.js';
import { MfaRequirement } from './people/mfa-requirement.js';
import { MyPractices } from './people/my-practices.js';
import { SwitchPractice } from './people/switch-practice.js';
import { OpenPractice } from './people/open-practice.js';
import { PersonalTokens } from './personal-tokens/personal-tokens.js';
import { RefusedSignIns } from './security/refused-sign-ins.js';
import { SecurityTrail } from './security/security-trail.js';
import { RefreshSession } from './sessions/refresh-session.js';
import { RefreshTokenRotation } from './sessions/refresh-token-rotation.js';
import { SessionIssue } from './sessions/session-issue.js';
import { Sessions } from './sessions/sessions.js';
import { SignIn } from './sessions/sign-in.js';
import { SignOut } from './sessions/sign-out.js';
import { privateTables } from './tables.js';
import { Transactions } from './transactions.js';
import { ChangeUser } from './users/change-user.js';
import { PublicUsers } from './users/public-user.js';
import { SignUp } from './users/sign-up.js';
import { practice, user } from './users/user.js';

/** The identity service: users, practices, sessions, tokens, signing keys and mail. */
export const identity: ServiceParts = {
  service: 'identity',
  deciders: [practice, user, membership, practiceExport],
  functions: [
    AcceptInvitation,
    BreakGlass,
    ClosePractice,
    CreateCalendarLink,
    CreateRecoveryCodes,
    CurrentIdentity,
    EndMemberSessions,
    EndSession,
    ExportPractice,
    LeavePractice,
    ListCalendarLinks,
    MyPractices,
    OpenPractice,
    OpenSessions,
    ReopenPractice,
    ResetFactors,
    RevokeCalendarLink,
    SwitchPractice,
  ],
  tables: privateTables,
  extension,
};

function extension({ connection, logger }: ServiceRuntime): ServiceExtension {
  const config = readIdentityConfig();
  return {
    sweeps: [...unanswered, oldSessions(config.sessions)],
    controllers: [AccountController, GatewayController, ExportController, ErasureController],
    providers: [
      { provide: IDENTITY_CONFIG, useValue: config },
      { provide: COUNTERS, useFactory: () => openCounters('identity', config.redisUrl, logger) },
      { provide: GatewayAnnouncements, useValue: new GatewayAnnouncements(connection) },
      { provide: OutgoingMail, useValue: new OutgoingMail(config.mail, logger) },
      { provide: RefreshTokenRotation, useValue: new RefreshTokenRotation(config.keyEncryptionKey) },
      ...[SessionCalls, UserCalls, MailCalls, VerificationCalls, TokenCalls, FactorCalls, InfoCalls],
      ...[SignUp, ChangeUser, SignIn, SignOut, RefreshSession, SessionIssue, Sessions, Transactions],
      ...[RequestSignUp, ConfirmSignUp, RequestAddressChange, ConfirmAddressChange],
      ...[ResendMail, ConfirmedAddress, PublicUsers, MailGate],
      ...[EnrollFactor, ChallengeFactor, VerifyFactor, UnenrollFactor, FactorLock, FactorSecrets],
      ...[Passwords, PasswordCheck, Lockout, RecentSignIn, SigningKeys, PersonalTokens],
      ...[SecurityTrail, RefusedSignIns, EndHold],
      ...[ExportWorkSteps, DeliveredArchives, EndExports, PresentedCalendarLinks],
      ...[ErasePractice, EraseDue, EraseFromBus],
      { provide: ErasedServices, useValue: new ErasedServices(connection) },
      ...[Founders, InvitationMail, MembershipEffect, MfaRequirement],
      { provide: LogRoots, useValue: new LogRoots(connection) },
      LogSeals,
      {
        provide: Effects,
        inject: [MembershipEffect, MfaRequirement],
        useFactory: (...effects: WriteEffect[]) => new Effects(effects),
      },
      ...[RequestRecovery, UseRecovery, ExchangeCode, Reauthenticate, MailThrottle, SiteLinks],
    ],
  };
}
