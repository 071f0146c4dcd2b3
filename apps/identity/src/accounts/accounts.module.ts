import { Module } from '@nestjs/common';
import { KeysModule } from '../keys/keys.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { UsersModule } from '../users/users.module.js';
import { AccountController } from './account.controller.js';
import { RequestAddressChange } from './address-change.js';
import { PublicKeysHandler, ReadHealthHandler, ReadSettingsHandler } from './info-calls.js';
import { RequestRecoveryHandler, ResendMailHandler } from './request-mail.js';
import { RefusedSignIns, SecurityTrail } from './security-trail.js';
import { ExchangeCodeHandler, RefreshSessionHandler, SignInHandler, SignOutHandler } from './sign-in.js';
import { RequestSignUp, SignUpHandler } from './sign-up.js';
import { ConfirmAddressChangeHandler, ConfirmSignUpHandler, UseRecoveryHandler } from './use-mailed-token.js';
import { ChangeUserHandler, ReadUserHandler, ReauthenticateHandler } from './user.js';
import { FollowLinkHandler, VerifyHandler } from './verification.js';

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
