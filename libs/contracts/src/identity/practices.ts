import { column, resource, type RowOf } from '@practice/resource';

export const practices = resource({
  name: 'practices',
  service: 'identity',
  aggregate: 'practice',
  description: 'The practice. There is one record, made by the sign-up, with the id of the practice.',
  roles: { therapist: 'read', front_desk: 'read', billing: 'read' },
  changeOnly: true,
  isUndoable: false,
  endOfPractice: { eraseAt: 'erase_at', erasedAt: 'erased_at' },
  columns: {
    name: column.text({ default: 'My practice', notBlank: true, maxLength: 320 }),
    email: column.text({
      required: true,
      readOnly: true,
      format: 'email',
      maxLength: 255,
      description: 'The address of the person who opened the practice.',
    }),
    require_mfa: column.boolean({
      default: false,
      description: 'True: members need a second factor. Only a session at `aal2` can change it.',
    }),
    closed_at: column.timestamp({
      readOnly: true,
      description: 'When an owner closed the practice with `rpc/close_practice`. Since then it is read-only.',
    }),
    erase_at: column.timestamp({
      readOnly: true,
      description:
        'When the practice is erased: 30 days after it was closed. Until then, `rpc/reopen_practice` opens it again.',
    }),
    erased_at: column.timestamp({
      readOnly: true,
      description: 'When the practice was erased. No member can read it since then.',
    }),
  },
  events: {
    PracticeOpened: 'created',
    PracticeContactChanged: ['email'],
    PracticeSettingsChanged: ['name', 'require_mfa'],
    PracticeClosed: ['closed_at', 'erase_at'],
    PracticeReopened: ['closed_at', 'erase_at'],
    PracticeErased: ['erased_at', 'name', 'email'],
  },
});

export type Practice = RowOf<typeof practices>;
