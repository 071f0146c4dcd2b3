import { readAddressPolicy } from '@practice/outbound';
import { defineService } from '@practice/service';
import type { ServiceExtension, ServiceParts, ServiceRuntime } from '@practice/service';
import { oldDeliveries } from './delivery/attempts.js';
import { Holder } from './delivery/claims.js';
import { Deliveries } from './delivery/deliveries.js';
import { EventSource } from './delivery/event-source.js';
import { CONNECTION, News } from './delivery/news.js';
import { deliveryTables } from './delivery/tables.js';
import * as functions from './functions.js';
import { Sender } from './sending/sender.js';
import { Bell, WEBHOOK_SECRETS, WebhookEffect, WebhookSecrets } from './webhook/webhook-effect.js';
import { webhookRules } from './webhook/webhook.js';

const policy = readAddressPolicy();

/** The webhooks service: the records and the deliveries. */
export const webhooksService: ServiceParts = {
  ...defineService('webhooks', {
    rules: { webhook: webhookRules(policy), ...functions, Deliveries, News, WebhookEffect },
  }),
  tables: deliveryTables,
  sealed: ['sealed_secret', 'sealed_previous'].map((column) => ({
    ...{ purpose: WEBHOOK_SECRETS, table: 'webhook_progress', column, id: 'id' },
  })),
  extension,
};

function extension({ config, connection }: ServiceRuntime): ServiceExtension {
  return {
    sweeps: [oldDeliveries],
    effects: [WebhookEffect],
    providers: [
      { provide: CONNECTION, useValue: connection },
      { provide: WebhookSecrets, useValue: new WebhookSecrets(config.personalKeys) },
      { provide: Sender, useValue: new Sender(policy) },
      { provide: Holder, useValue: new Holder(config.relayDatabaseUrl) },
      { provide: EventSource, useValue: new EventSource(connection) },
      Bell,
    ],
  };
}
