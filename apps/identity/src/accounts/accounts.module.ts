import { Module } from '@nestjs/common';
import { KeysModule } from '../keys/keys.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { UsersModule } from '../users/users.module.js';
import { AccountController } from './account.controller.js';
import { ChangeUserHandler } from './change-user.js';
import { ConfirmAddressChangeHandler } from './confirm-address-change.js';
import { ConfirmSignUpHandler } from './confirm-sign-up.js';
import { ExchangeCodeHandler } from './exchange-code.js';
import {
  NotOfferedHandler,
  PublicKeysHandler,
  ReadHealthHandler,
  ReadSettingsHandler,
} from './info-calls.js';
import { RefreshSessionHandler } from './refresh-session.js';
import { RefusedSignIns } from './refused-sign-ins.js';
import { RequestAddressChange } from './request-address-change.js';
import { RequestRecoveryHandler } from './request-recovery.js';
import { RequestSignUp } from './request-sign-up.js';
import { ResendMailHandler } from './resend-mail.js';
import { SecurityTrail } from './security-trail.js';
import { SignInHandler } from './sign-in.js';
import { SignOutHandler } from './sign-out.js';
import { SignUpHandler } from './sign-up.js';
import { UseRecoveryHandler } from './use-recovery.js';
import { ReadUserHandler, ReauthenticateHandler } from './user-calls.js';
import { FollowLinkHandler, VerifyHandler } from './verification-calls.js';

/** The auth API: sign-up, sign-in, recovery and changes of the account. */
@Module({
  imports: [KeysModule, SessionsModule, UsersModule],
  controllers: [AccountController],
  providers: [
    ChangeUserHandler,
    ConfirmAddressChangeHandler,
    ConfirmSignUpHandler,
    ExchangeCodeHandler,
    FollowLinkHandler,
    NotOfferedHandler,
    PublicKeysHandler,
    ReadHealthHandler,
    ReadSettingsHandler,
    ReadUserHandler,
    ReauthenticateHandler,
    RefreshSessionHandler,
    RefusedSignIns,
    RequestAddressChange,
    RequestRecoveryHandler,
    RequestSignUp,
    ResendMailHandler,
    SecurityTrail,
    SignInHandler,
    SignOutHandler,
    SignUpHandler,
    UseRecoveryHandler,
    VerifyHandler,
  ],
})
export class AccountsModule {}
