import { openCounters } from '@practice/limits';
import type { ServiceExtension, ServiceParts, ServiceRuntime } from '@practice/service';
import type { WriteEffect } from '@practice/write';
import { Effects } from '@practice/write';
import { AccountController } from './accounts/account.controller.js';
import { FactorCalls } from './factors/factor-calls.js';
import { InfoCalls } from './accounts/info-calls.js';
import { MailCalls } from './accounts/mail-calls.js';
import { SessionCalls } from './accounts/session-calls.js';
import { TokenCalls } from './tokens/token-calls.js';
import { UserCalls } from './accounts/user-calls.js';
import { VerificationCalls } from './accounts/verification-calls.js';
import { CreateCalendarLink } from './tokens/create-calendar-link.js';
import { ListCalendarLinks } from './tokens/list-calendar-links.js';
import { PresentedCalendarLinks } from './tokens/presented-calendar-link.js';
import { RevokeCalendarLink } from './tokens/revoke-calendar-link.js';
import { ConfirmAddressChange } from './accounts/confirm-address-change.js';
import { ConfirmSignUp } from './accounts/confirm-sign-up.js';
import { ConfirmedAddress } from './users/confirmed-address.js';
import { unanswered } from './accounts/unanswered.js';
import { oldSessions } from './sessions/old-sessions.js';
import { RequestAddressChange } from './accounts/request-address-change.js';
import { RequestSignUp } from './accounts/request-sign-up.js';
import { ResendMail } from './accounts/resend-mail.js';
import { COUNTERS } from './calls/counters.js';
import { Lockout } from './users/lockout.js';
import { PasswordCheck } from './sessions/password-check.js';
import { Passwords } from './users/passwords.js';
import { RecentSignIn } from './sessions/recent-sign-in.js';
import { ClosePractice } from './practices/close-practice.js';
import { EraseDue } from './practices/erase-due.js';
import { EraseFromBus } from './practices/erase-from-bus.js';
import { ErasePractice } from './practices/erase-practice.js';
import { ErasedServices } from './practices/erased-services.js';
import { ReopenPractice } from './practices/reopen-practice.js';
import { ErasureController } from './practices/erasure.controller.js';
import { DeliveredArchives } from './exports/delivered-archives.js';
import { EndExports } from './exports/end-exports.js';
import { practiceExport } from './exports/export.js';
import { ExportController } from './exports/export.controller.js';
import { ExportPractice } from './exports/export-practice.js';
import { ExportWorkSteps } from './exports/export-work.js';
import { BreakGlass } from './practices/break-glass.js';
import { CreateRecoveryCodes } from './factors/create-recovery-codes.js';
import { CurrentIdentity } from './sessions/current-identity.js';
import { EndMemberSessions } from './practices/end-member-sessions.js';
import { EndSession } from './sessions/end-session.js';
import { OpenSessions } from './sessions/open-sessions.js';
import { GatewayAnnouncements } from './notices/announcements.js';
import { GatewayController } from './tokens/gateway.controller.js';
import { IDENTITY_CONFIG, readIdentityConfig } from './identity.config.js';
import { SigningKeys } from './keys/signing-keys.js';
import { LogRoots } from './keys/log-roots.js';
import { LogSeals } from './keys/log-seals.js';
import { ExchangeCode } from './accounts/exchange-code.js';
import { MailGate } from './notices/mail-gate.js';
import { MailThrottle } from './notices/mail-throttle.js';
import { OutgoingMail } from './notices/outgoing-mail.js';
import { Reauthenticate } from './accounts/reauthenticate.js';
import { RequestRecovery } from './accounts/request-recovery.js';
import { SiteLinks } from './notices/site-links.js';
import { UseRecovery } from './accounts/use-recovery.js';
import { ChallengeFactor } from './factors/challenge-factor.js';
import { EnrollFactor } from './factors/enroll-factor.js';
import { FactorLock } from './factors/factor-lock.js';
import { FactorSecrets } from './keys/factor-secrets.js';
import { ResetFactors } from './practices/reset-factors.js';
import { UnenrollFactor } from './factors/unenroll-factor.js';
import { VerifyFactor } from './factors/verify-factor.js';
import { AcceptInvitation } from './practices/accept-invitation.js';
import { EndHold } from './practices/end-hold.js';
import { Founders } from './practices/founders.js';
import { InvitationMail } from './practices/invitation-mail.js';
import { LeavePractice } from './practices/leave-practice.js';
import { membership } from './practices/membership.js';
import { MembershipEffect } from './practices/membership-effect.js';
import { MfaRequirement } from './practices/mfa-requirement.js';
import { MyPractices } from './practices/my-practices.js';
import { SwitchPractice } from './practices/switch-practice.js';
import { OpenPractice } from './practices/open-practice.js';
import { PersonalTokens } from './tokens/personal-tokens.js';
import { RefusedSignIns } from './accounts/refused-sign-ins.js';
import { SecurityTrail } from './accounts/security-trail.js';
import { RefreshSession } from './accounts/refresh-session.js';
import { RefreshTokenRotation } from './sessions/refresh-token-rotation.js';
import { SessionIssue } from './sessions/session-issue.js';
import { Sessions } from './sessions/sessions.js';
import { SignIn } from './accounts/sign-in.js';
import { SignOut } from './accounts/sign-out.js';
import { privateTables } from './store/tables.js';
import { Transactions } from './store/transactions.js';
import { ChangeUser } from './accounts/change-user.js';
import { PublicUsers } from './users/public-user.js';
import { SignUp } from './accounts/sign-up.js';
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
