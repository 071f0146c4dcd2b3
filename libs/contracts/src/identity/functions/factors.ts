import { column, defineFunction, returns } from '@practice/resource';
import { forMembers, forOwners, recentProof } from './callers.js';

export const createRecoveryCodes = defineFunction({
  name: 'create_recovery_codes',
  ...forMembers,
  description:
    'Creates ten recovery codes. Each replaces an authenticator app’s code once. Earlier codes become invalid. Only this response contains them.',
  arguments: recentProof,
  returns: returns.rows({
    code: column.text({ required: true, confidential: true, description: 'A recovery code.' }),
  }),
});

export const resetFactors = defineFunction({
  name: 'reset_factors',
  ...forOwners,
  description:
    'Removes the second factors and recovery codes of a member who has lost them, and signs the member out of the practice. The member’s access to practices of other owners is on hold until an owner there calls this too, or the member calls `switch_practice` with a mailed code or a recovery code. Both are mailed.',
  arguments: {
    user_id: column.uuid({ required: true, description: 'A member of the practice.' }),
    ...recentProof,
  },
  returns: returns.object({
    user_id: column.uuid({ required: true, description: 'The member.' }),
    outcome: column.text({
      required: true,
      oneOf: ['reset', 'released'],
      description:
        '`released`: another owner had reset the factors before; the member can work in this practice again.',
    }),
  }),
});
