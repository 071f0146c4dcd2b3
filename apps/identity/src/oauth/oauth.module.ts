import { Module } from '@nestjs/common';
import { KeysModule } from '../keys/keys.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { UsersModule } from '../users/users.module.js';
import { Authorizations } from './authorizations.js';
import { OauthClients } from './clients.js';
import { AnswerAuthorizationHandler, ReadAuthorizationHandler } from './consent.js';
import { OpenDeviceHandler } from './device.js';
import { DocumentFetch } from './document-fetch.js';
import { ListGrantsHandler, ReadUserInfoHandler, RevokeGrantsHandler } from './grant-calls.js';
import { GrantSweep } from './grant-sweep.js';
import { Grants } from './grants.js';
import { ClientEffect, GrantEffect, RotateClientSecret } from './oauth-effects.js';
import { OauthPayloads } from './payloads.js';
import { CallProtocolHandler, OauthHttp, ReadMetadataHandler } from './protocol.js';
import { ProposalsController } from './proposals.controller.js';
import { OauthProvider } from './provider.js';
import { RememberedConsents } from './remembered.js';

/** The OAuth server: the access of apps. */
@Module({
  imports: [KeysModule, SessionsModule, UsersModule],
  controllers: [ProposalsController],
  providers: [
    AnswerAuthorizationHandler,
    Authorizations,
    CallProtocolHandler,
    ClientEffect,
    DocumentFetch,
    GrantEffect,
    Grants,
    GrantSweep,
    ListGrantsHandler,
    OauthClients,
    OauthHttp,
    OauthPayloads,
    OauthProvider,
    OpenDeviceHandler,
    ReadAuthorizationHandler,
    ReadMetadataHandler,
    ReadUserInfoHandler,
    RememberedConsents,
    RevokeGrantsHandler,
  ],
  exports: [ClientEffect, GrantEffect],
})
export class OauthModule {}

export const oauthFunctions = [RotateClientSecret];
