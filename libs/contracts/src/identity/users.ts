import { column, resource } from '@practice/resource';

export const users = resource({
  name: 'users',
  service: 'identity',
  aggregate: 'user',
  isPublic: false,
  description: 'A person who signs in.',
  isUndoable: false,
  columns: {
    email: column.text({
      required: true,
      format: 'email',
      maxLength: 255,
      description: 'The address that the user signs in with.',
    }),
    metadata: column.json({
      required: true,
      confidential: true,
      description: 'The details that the user gave about itself.',
    }),
    password_changed_at: column.timestamp({
      required: true,
      description: 'When the user last chose a password.',
    }),
  },
  events: {
    UserRegistered: 'created',
    UserAddressChanged: ['email'],
    UserPasswordChanged: ['password_changed_at'],
    UserDetailsChanged: ['metadata'],
  },
});
