import { practiceRoles } from '@practice/core';
import { column, defineFunction, returns } from '@practice/resource';
import { forMembers, shownToMembers, recentProof } from './callers.js';

const therapist_id = column.uuid({ required: true, description: 'The practice.' });
const role = column.text({
  required: true,
  oneOf: practiceRoles,
  description: 'The role in the practice.',
});

export const myPractices = defineFunction({
  name: 'my_practices',
  ...shownToMembers,
  description: 'The practices that the caller is a member of.',
  arguments: {},
  returns: returns.rows({
    therapist_id,
    name: column.text({ description: 'Its name. Null while the access is on hold.' }),
    role,
    is_held: column.boolean({
      required: true,
      description:
        'Whether `switch_practice` needs a mailed code or a recovery code after a factor reset elsewhere.',
    }),
    is_current: column.boolean({ required: true, description: 'Whether the caller acts in it now.' }),
  }),
});

export const switchPractice = defineFunction({
  name: 'switch_practice',
  ...forMembers,
  description:
    'Sets the practice of the session, from the next refresh on, and of later sign-ins. If the access is on hold, `nonce` or `recovery_code` ends the hold.',
  arguments: {
    therapist_id: column.uuid({ required: true, description: 'A practice that the caller is a member of.' }),
    nonce: recentProof.nonce,
    recovery_code: column.text({
      maxLength: 72,
      confidential: true,
      description: 'A recovery code from before the second factors were reset.',
    }),
  },
  returns: returns.object({ therapist_id, role }),
});

export const acceptInvitation = defineFunction({
  name: 'accept_invitation',
  ...forMembers,
  description:
    'Makes the caller a member of the inviting practice. Call `switch_practice` afterwards to work there.',
  arguments: {
    token: column.text({
      required: true,
      maxLength: 100,
      description: 'From the link in the mail: valid once, for seven days.',
    }),
  },
  returns: returns.object({ therapist_id, role }),
});

export const leavePractice = defineFunction({
  name: 'leave_practice',
  ...forMembers,
  description:
    'Ends the caller’s membership in the practice of the session, with its sessions, personal access tokens and calendar links. The last owner cannot leave (409 `PM009`). The next sign-in begins in another practice of the caller, or in a new one.',
  arguments: recentProof,
  returns: returns.object({ therapist_id }),
});
