import { column, defineFunction, returns } from '@practice/resource';

export const rotateWebhookSecret = defineFunction({
  name: 'rotate_webhook_secret',
  service: 'webhooks',
  description:
    'Makes a new secret for a webhook. Only this response contains it. For 24 hours, deliveries carry two signatures: one by the new secret, one by the secret before it.',
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
