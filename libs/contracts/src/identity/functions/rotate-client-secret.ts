import { column, defineFunction, returns } from '@practice/resource';

export const rotateClientSecret = defineFunction({
  name: 'rotate_client_secret',
  service: 'identity',
  description:
    'Creates a new secret for a confidential app, shown in this response only. The previous secret ends after 24 hours, or at once with `revoke`.',
  arguments: {
    client_id: column.uuid({ required: true, description: 'The record in `oauth_clients`.' }),
    revoke: column.boolean({ default: false, description: 'True: the previous secret ends at once.' }),
  },
  returns: returns.object({
    secret: column.text({ required: true, confidential: true, description: 'The new `client_secret`.' }),
  }),
  effect: 'writes',
  roles: ['owner'],
  needsSession: true,
});
