import { practiceRoles } from '@practice/core';
import { column, defineFunction, returns } from '@practice/resource';

export const revokeCalendarLink = defineFunction({
  name: 'revoke_calendar_link',
  service: 'identity',
  description:
    'Ends a calendar link of the caller at once. Owners can end the links of every member of the practice.',
  arguments: {
    id: column.uuid({ required: true, description: 'The `id` of `calendar_links`.' }),
  },
  returns: returns.nothing,
  effect: 'writes',
  roles: practiceRoles,
  needsSession: true,
  whenClosed: 'allowed',
});
