// The identity service: users, practices, sessions, tokens, signing keys and mail. A folder imports only folders above it:
// store, calls, notices ← keys ← users ← sessions ← factors, tokens, exports ← oauth, passkeys, practices ← accounts.

import { openCounters } from '@practice/limits';
import { classesIn, type ServiceExtension, type ServiceParts, type ServiceRuntime } from '@practice/service';
import { COUNTERS } from './calls/call.js';
import * as classes from './classes.js';
import { practiceExport } from './exports/export-practice.js';
import { IDENTITY_CONFIG, readIdentityConfig } from './identity.config.js';
import { GatewayAnnouncements } from './notices/announcements.js';
import { OtherServices } from './notices/other-services.js';
import { ClientEffect, GrantEffect } from './oauth/oauth-effects.js';
import { oauthRules } from './oauth/oauth-rules.js';
import { membership } from './practices/membership.js';
import { MembershipEffect, MfaRequirement } from './practices/write-effects.js';
import { privateTables } from './store/policies.js';
import { oldSessions, unanswered } from './store/sweeps.js';
import { practice, user } from './users/user.js';

export const identity: ServiceParts = {
  service: 'identity',
  deciders: [practice, user, membership, practiceExport, ...oauthRules],
  ...classesIn(classes),
  tables: privateTables,
  extension,
};

function extension({ connection, logger }: ServiceRuntime): ServiceExtension {
  const config = readIdentityConfig();
  return {
    sweeps: [...unanswered, ...oldSessions(config.sessions)],
    effects: [MembershipEffect, MfaRequirement, ClientEffect, GrantEffect],
    providers: [
      { provide: IDENTITY_CONFIG, useValue: config },
      { provide: COUNTERS, useFactory: () => openCounters('identity', config.redisUrl, logger) },
      { provide: GatewayAnnouncements, useValue: new GatewayAnnouncements(connection) },
      { provide: OtherServices, useValue: new OtherServices(connection) },
    ],
  };
}
