import { column, defineFunction, returns } from '@practice/resource';

export const breakGlass = defineFunction({
  name: 'break_glass',
  service: 'identity',
  description:
    'For emergencies: for 60 minutes, this session also reads all that the role `therapist` reads. Writes stay as they are. Owners are mailed and see the reason in the security events; the access log marks each read of confidential records.',
  arguments: {
    reason: column.text({
      required: true,
      notBlank: true,
      maxLength: 500,
      confidential: true,
      description: 'Why it is necessary. It is kept for good, so do not name a client in it.',
    }),
  },
  example: { reason: 'The therapist is ill, and a client in a crisis has called.' },
  returns: returns.object({
    id: column.uuid({
      required: true,
      description: 'The `id` of the security event, and the `break_glass_id` in the access log.',
    }),
    until: column.timestamp({ required: true, description: 'When the access ends.' }),
  }),
  effect: 'writes',
  roles: ['therapist', 'front_desk'],
  needsSession: true,
  whenClosed: 'allowed',
});
