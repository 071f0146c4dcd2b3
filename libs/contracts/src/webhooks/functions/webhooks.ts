import { column, defineFunction, returns } from '@practice/resource';

const webhook_id = column.uuid({ required: true, description: 'The webhook.' });

export const testWebhook = defineFunction({
  name: 'test_webhook',
  service: 'webhooks',
  description:
    'Sends a signed event of the type `Ping` once, to a webhook of any status. Follow it in `webhook_deliveries`, by `event_id`.',
  arguments: { webhook_id },
  returns: returns.object({
    event_id: column.uuid({ required: true, description: 'The `event_id` of the delivery.' }),
  }),
  effect: 'writes',
  isAccepted: true,
  roles: ['owner'],
});

export const replayWebhook = defineFunction({
  name: 'replay_webhook',
  service: 'webhooks',
  description:
    'Moves a webhook to a place in the log: it gets all later events again, in order. A paused or failing webhook gets them once it is active.',
  arguments: {
    webhook_id,
    from: column.text({
      required: true,
      maxLength: 2048,
      description:
        'A cursor, such as `delivered_until` or one of `/events/v1/`: events after it. Or a timestamp: events that were recorded since.',
    }),
  },
  example: { webhook_id: '0190a000-0000-7000-8000-000000000001', from: '2030-01-07T09:00:00Z' },
  returns: returns.object({
    webhook_id,
    delivered_until: column.text({ required: true, description: 'The cursor behind which it goes on.' }),
  }),
  effect: 'writes',
  roles: ['owner'],
});

export const rotateWebhookSecret = defineFunction({
  name: 'rotate_webhook_secret',
  service: 'webhooks',
  description:
    'Creates a new secret, shown in this response only. For 24 hours, deliveries are also signed with the previous one.',
  arguments: { webhook_id },
  returns: returns.object({
    secret: column.text({
      required: true,
      confidential: true,
      description: '`whsec_` and the key in base64, as libraries for Standard Webhooks take it.',
    }),
  }),
  effect: 'writes',
  roles: ['owner'],
});
