import { column, defineFunction, returns } from '@practice/resource';
import { forMembers, forOwners, recentProof, whileOpen } from './callers.js';

export const openPractice = defineFunction({
  name: 'open_practice',
  ...forMembers,
  description:
    'Opens a practice for a caller who owns none, such as a person who signed up by an invitation. Call `switch_practice` afterwards to work there.',
  arguments: {},
  returns: returns.object({
    therapist_id: column.uuid({ required: true, description: 'The new practice.' }),
  }),
});

export const closePractice = defineFunction({
  name: 'close_practice',
  ...whileOpen,
  roles: ['owner'],
  description:
    'Closes the practice: it is read-only for 30 days, and then it is erased. Reads, exports and sign-ins still work; every write is 409 `PM017`. Until then, `reopen_practice` opens it again. The owners get a mail.',
  arguments: {
    name: column.text({
      required: true,
      maxLength: 320,
      description: 'The `name` of the practice, typed again.',
    }),
    reason: column.text({
      notBlank: true,
      maxLength: 500,
      confidential: true,
      description: 'Why. It becomes a part of the security event, so do not name a client in it.',
    }),
    ...recentProof,
  },
  returns: returns.object({
    closed_at: column.timestamp({ required: true, description: 'As in `practices`.' }),
    erase_at: column.timestamp({ required: true, description: 'As in `practices`.' }),
  }),
});

export const reopenPractice = defineFunction({
  name: 'reopen_practice',
  ...forOwners,
  description:
    'Opens a closed practice again, until it is erased. An open practice stays as it is. The owners get a mail.',
  arguments: {},
  returns: returns.object({
    therapist_id: column.uuid({ required: true, description: 'The practice.' }),
    reopened: column.boolean({ required: true, description: 'Whether the practice was closed.' }),
  }),
});

export const exportPractice = defineFunction({
  name: 'export_practice',
  ...forOwners,
  description:
    'Begins an export of everything that an owner can read: each resource and history as NDJSON and CSV, in a ZIP archive. Follow it in `exports`. A practice can have one export at a time, and ten a day.',
  arguments: recentProof,
  returns: returns.object({
    id: column.uuid({ required: true, description: 'The row of `exports`.' }),
    requested_at: column.timestamp({ required: true, description: 'When the export was requested.' }),
    status: column.text({ required: true, oneOf: ['running'], description: 'As in `exports`.' }),
    link: column.text({
      required: true,
      confidential: true,
      description:
        'Downloads the archive once it is complete, for 24 hours, without a token. Only this response contains it.',
    }),
  }),
  inBackground: true,
});
