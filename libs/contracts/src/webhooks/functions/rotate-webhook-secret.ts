import { column, defineFunction, returns } from '@practice/resource';

export const rotateWebhookSecret = defineFunction({
  name: 'rotate_webhook_secret',
  service: 'webhooks',
  description:
    'Creates a new secret, shown in this response only. For 24 hours, deliveries are also signed with the previous one.',
  arguments: { webhook_id: column.uuid({ required: true, description: 'The webhook.' }) },
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
