import { type DynamicModule, Module } from '@nestjs/common';
import { openCounters } from '@practice/limits';
import type { ServiceRuntime } from '@practice/service';
import { COUNTERS } from './calls/call.js';
import { IDENTITY_CONFIG, type IdentityConfig } from './identity.config.js';
import { GatewayAnnouncements } from './notices/announcements.js';
import { OtherServices } from './notices/other-services.js';
import { MailGate, OutgoingMail } from './notices/outgoing-mail.js';
import { SiteLinks } from './notices/site-links.js';
import { Transactions } from './store/transactions.js';

/** Settings, tables and notifications: the parts that every other module uses, and the parts that need the connection to the bus. */
@Module({})
export class FoundationModule {
  static of({ connection, logger }: ServiceRuntime, config: IdentityConfig): DynamicModule {
    const providers = [
      { provide: IDENTITY_CONFIG, useValue: config },
      { provide: COUNTERS, useFactory: () => openCounters('identity', config.redisUrl, logger) },
      { provide: GatewayAnnouncements, useValue: new GatewayAnnouncements(connection) },
      { provide: OutgoingMail, useValue: new OutgoingMail(config.mail, logger) },
      { provide: OtherServices, useValue: new OtherServices(connection) },
      MailGate,
      SiteLinks,
      Transactions,
    ];
    return { module: FoundationModule, global: true, providers, exports: providers };
  }
}
