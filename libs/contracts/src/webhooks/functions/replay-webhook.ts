import { column, defineFunction, returns } from '@practice/resource';

export const replayWebhook = defineFunction({
  name: 'replay_webhook',
  service: 'webhooks',
  description:
    'Moves a webhook to a place in the log: it gets all later events again, in order. A paused or failing webhook gets them once it is active.',
  arguments: {
    webhook_id: column.uuid({ required: true, description: 'The webhook.' }),
    from: column.text({
      required: true,
      maxLength: 2048,
      description:
        'A cursor, such as `delivered_until` or one of `/events/v1/`: events after it. Or a timestamp: events that were recorded since.',
    }),
  },
  example: { webhook_id: '0190a000-0000-7000-8000-000000000001', from: '2030-01-07T09:00:00Z' },
  returns: returns.object({
    webhook_id: column.uuid({ required: true, description: 'The webhook.' }),
    delivered_until: column.text({ required: true, description: 'The cursor behind which it goes on.' }),
  }),
  effect: 'writes',
  roles: ['owner'],
});
