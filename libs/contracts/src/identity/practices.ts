import { column, resource } from '@practice/resource';

export const practices = resource({
  name: 'practices',
  service: 'identity',
  aggregate: 'practice',
  isPublic: false,
  description: 'A practice, from its sign-up on.',
  columns: {
    email: column.text({
      required: true,
      format: 'email',
      maxLength: 255,
      description: 'The address its owner signs in with.',
    }),
  },
  events: {
    PracticeOpened: 'created',
    PracticeContactChanged: ['email'],
  },
});
