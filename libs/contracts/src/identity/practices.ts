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
      description: 'The address of its founder.',
    }),
    require_mfa: column.boolean({
      default: false,
      description: 'True: members need a second factor. Only a session at `aal2` can change it.',
    }),
    closed_at: column.timestamp({
      readOnly: true,
      description: 'When `rpc/close_practice` closed it. Since then it is read-only.',
    }),
    erase_at: column.timestamp({
      readOnly: true,
      description: 'When it is erased: 30 days after closing. `rpc/reopen_practice` prevents it.',
    }),
    erased_at: column.timestamp({
      readOnly: true,
      description: 'Since then, no member can read it.',
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
