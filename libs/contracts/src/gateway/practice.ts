import { aggregate, column } from '@practice/resource';

/** The practice itself: its account is no resource of the data API, but that it exists is everybody's business. */
export const practice = aggregate({
  service: 'gateway',
  aggregate: 'practice',
  description: 'A practice, from its sign-up on.',
  columns: {
    email: column.text({
      required: true,
      format: 'email',
      description: 'The address its owner signs in with.',
    }),
  },
  events: {
    PracticeOpened: 'created',
    PracticeContactChanged: ['email'],
  },
});
