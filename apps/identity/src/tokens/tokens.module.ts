import { Module } from '@nestjs/common';
import { KeysModule } from '../keys/keys.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { UsersModule } from '../users/users.module.js';
import { CreateCalendarLink, ListCalendarLinks, RevokeCalendarLink } from './calendar-link-functions.js';
import { GatewayController } from './gateway.controller.js';
import { PersonalTokens } from './personal-tokens.js';
import { PresentedCalendarLinks } from './presented-calendar-link.js';
import { CreateTokenHandler, ListTokensHandler, RevokeTokenHandler } from './token-calls.js';

/** Personal access tokens and calendar links, and what gateways ask about them. */
@Module({
  imports: [KeysModule, SessionsModule, UsersModule],
  controllers: [GatewayController],
  providers: [
    PersonalTokens,
    PresentedCalendarLinks,
    ListTokensHandler,
    CreateTokenHandler,
    RevokeTokenHandler,
  ],
})
export class TokensModule {}

export const tokenFunctions = [CreateCalendarLink, ListCalendarLinks, RevokeCalendarLink];
