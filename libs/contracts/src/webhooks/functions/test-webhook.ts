import { column, defineFunction, returns } from '@practice/resource';

export const testWebhook = defineFunction({
  name: 'test_webhook',
  service: 'webhooks',
  description:
    'Sends a signed event of the type `Ping` once, to a webhook of any status. Follow it in `webhook_deliveries`, by `event_id`.',
  arguments: { webhook_id: column.uuid({ required: true, description: 'The webhook.' }) },
  returns: returns.object({
    event_id: column.uuid({ required: true, description: 'The `event_id` of the delivery.' }),
  }),
  effect: 'writes',
  isAccepted: true,
  roles: ['owner'],
});
