import { Module } from '@nestjs/common';
import { KeysModule } from '../keys/keys.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { UsersModule } from '../users/users.module.js';
import {
  CreateCalendarLink,
  ListCalendarLinks,
  PresentedCalendarLinks,
  RevokeCalendarLink,
} from './calendar-links.js';
import { GrantUses } from './grant-uses.js';
import { GatewayController } from './gateway.controller.js';
import { PersonalTokens } from './personal-tokens.js';
import { CreateTokenHandler, ListTokensHandler, RevokeTokenHandler } from './token-calls.js';
import { CreateTokenByFunction, MyTokens, RevokeTokenByFunction } from './token-functions.js';

/** Personal access tokens and calendar links, and the answers to gateways about them. */
@Module({
  imports: [KeysModule, SessionsModule, UsersModule],
  controllers: [GatewayController],
  providers: [
    GrantUses,
    PersonalTokens,
    PresentedCalendarLinks,
    ListTokensHandler,
    CreateTokenHandler,
    RevokeTokenHandler,
  ],
  exports: [PersonalTokens],
})
export class TokensModule {}

export const tokenFunctions = [
  CreateCalendarLink,
  CreateTokenByFunction,
  ListCalendarLinks,
  MyTokens,
  RevokeCalendarLink,
  RevokeTokenByFunction,
];
