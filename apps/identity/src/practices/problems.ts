import { problemFor } from '@practice/core';
import type { Problem } from '@practice/core';

/** An owner names a person who is not in the practice. The same for a user who does not exist. */
export const notMember: Problem = problemFor('PM404', {
  message: 'the practice has no active member with this user_id',
});
