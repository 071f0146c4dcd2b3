import type { Problem } from '@practice/core';

/** An owner names a person who is not in the practice. The same for a user who does not exist. */
export const notMember: Problem = {
  status: 404,
  code: 'PM404',
  message: 'the practice has no active member with this user_id',
};
