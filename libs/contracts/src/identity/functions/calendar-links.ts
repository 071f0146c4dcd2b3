import { practiceRoles } from '@practice/core';
import { column, defineFunction, returns } from '@practice/resource';

export const calendarLinks = defineFunction({
  name: 'calendar_links',
  service: 'identity',
  description:
    'The calendar links of the caller in the practice, the newest first; for owners, the links of all members.',
  arguments: {},
  returns: returns.rows({
    id: column.uuid({ required: true }),
    user_id: column.uuid({ required: true, description: 'The member who made it.' }),
    full: column.boolean({ required: true, description: 'Whether it shows names.' }),
    practitioner_id: column.uuid({ description: 'The member whose calendar it is. Null: every calendar.' }),
    created_at: column.timestamp({ required: true, description: 'When it was made.' }),
    last_used_at: column.timestamp({ description: 'When it was last used, to about five minutes.' }),
    last_used_address: column.text({
      confidential: true,
      description: 'The network address that it was last used from.',
    }),
  }),
  effect: 'reads',
  roles: practiceRoles,
  needsSession: true,
});
