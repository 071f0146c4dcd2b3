// The identity service: users, practices, sessions, tokens, signing keys and mail. A module imports only modules above it:
// store, calls, notices ← keys ← users ← sessions ← factors, tokens, exports ← oauth, passkeys, practices ← accounts.

import type { ServiceExtension, ServiceParts, ServiceRuntime } from '@practice/service';
import { Effects, type WriteEffect } from '@practice/write';
import { AccountsModule } from './accounts/accounts.module.js';
import { practiceExport } from './exports/export-practice.js';
import { exportFunctions, ExportsModule } from './exports/exports.module.js';
import { factorFunctions, FactorsModule } from './factors/factors.module.js';
import { FoundationModule } from './foundation.module.js';
import { readIdentityConfig } from './identity.config.js';
import { KeysModule } from './keys/keys.module.js';
import { ClientEffect, GrantEffect } from './oauth/oauth-effects.js';
import { oauthRules } from './oauth/oauth-rules.js';
import { oauthFunctions, OauthModule } from './oauth/oauth.module.js';
import { PasskeysModule } from './passkeys/passkeys.module.js';
import { membership } from './practices/membership.js';
import { practiceFunctions, PracticesModule } from './practices/practices.module.js';
import { MembershipEffect, MfaRequirement } from './practices/write-effects.js';
import { sessionFunctions, SessionsModule } from './sessions/sessions.module.js';
import { privateTables } from './store/policies.js';
import { oldSessions, unanswered } from './store/sweeps.js';
import { tokenFunctions, TokensModule } from './tokens/tokens.module.js';
import { practice, user } from './users/user.js';
import { UsersModule } from './users/users.module.js';

export const identity: ServiceParts = {
  service: 'identity',
  deciders: [practice, user, membership, practiceExport, ...oauthRules],
  functions: [
    ...sessionFunctions,
    ...factorFunctions,
    ...tokenFunctions,
    ...oauthFunctions,
    ...exportFunctions,
    ...practiceFunctions,
  ],
  tables: privateTables,
  extension,
};

function extension(runtime: ServiceRuntime): ServiceExtension {
  const config = readIdentityConfig();
  return {
    sweeps: [...unanswered, oldSessions(config.sessions)],
    imports: [
      FoundationModule.of(runtime, config),
      KeysModule,
      UsersModule,
      SessionsModule,
      FactorsModule,
      PasskeysModule,
      TokensModule,
      OauthModule,
      ExportsModule,
      PracticesModule,
      AccountsModule,
    ],
    providers: [
      {
        provide: Effects,
        inject: [MembershipEffect, MfaRequirement, ClientEffect, GrantEffect],
        useFactory: (...effects: WriteEffect[]) => new Effects(effects),
      },
    ],
  };
}
