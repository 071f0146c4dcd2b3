import { Module } from '@nestjs/common';
import { SessionsModule } from '../sessions/sessions.module.js';
import { PasskeyChallenges } from './challenges.js';
import { ListPasskeysHandler, RemovePasskeyHandler, RenamePasskeyHandler } from './manage.js';
import { PasskeySignInOptionsHandler, SignInWithPasskeyHandler } from './passkey-sign-in.js';
import { PasskeyRegistrationOptionsHandler, RegisterPasskeyHandler } from './registration.js';
import { RelyingParty } from './relying-party.js';

/** Passkeys: their registration, names and removal, and the sign-in with them. */
@Module({
  imports: [SessionsModule],
  providers: [
    ListPasskeysHandler,
    PasskeyChallenges,
    PasskeyRegistrationOptionsHandler,
    PasskeySignInOptionsHandler,
    RegisterPasskeyHandler,
    RelyingParty,
    RemovePasskeyHandler,
    RenamePasskeyHandler,
    SignInWithPasskeyHandler,
  ],
})
export class PasskeysModule {}
