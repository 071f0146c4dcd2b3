import { column, defineFunction, returns } from '@practice/resource';
import { calendarRoles } from '../calendar-links.js';
import { forMembers, lastUse, recentProof, shownToMembers, whileOpen } from './callers.js';

export const calendarLinks = defineFunction({
  name: 'calendar_links',
  ...shownToMembers,
  description:
    'The calendar links of the caller in the practice, the newest first; for owners, the links of all members.',
  arguments: {},
  returns: returns.rows({
    id: column.uuid({ required: true }),
    user_id: column.uuid({ required: true, description: 'The member who made it.' }),
    full: column.boolean({ required: true, description: 'Whether it shows names.' }),
    practitioner_id: column.uuid({ description: 'The member whose calendar it is. Null: every calendar.' }),
    created_at: column.timestamp({ required: true, description: 'When it was made.' }),
    ...lastUse,
  }),
});

export const createCalendarLink = defineFunction({
  name: 'create_calendar_link',
  ...whileOpen,
  roles: calendarRoles,
  description:
    'Creates a link to the appointments as a calendar (RFC 5545), for calendar programs. The link needs no key and no token until it is revoked, and shows what its maker may see at each read.',
  arguments: {
    full: column.boolean({
      default: false,
      description: 'True: with the names of clients and services. False: with initials only.',
    }),
    practitioner_id: column.uuid({
      description: 'A member: only appointments of this member, and appointments of the whole practice.',
    }),
    ...recentProof,
  },
  example: { full: false },
  returns: returns.object({
    id: column.uuid({ required: true, description: 'For `rpc/revoke_calendar_link`.' }),
    url: column.text({
      required: true,
      confidential: true,
      description: 'The link. Only this response contains it.',
    }),
  }),
});

export const revokeCalendarLink = defineFunction({
  name: 'revoke_calendar_link',
  ...forMembers,
  description:
    'Ends a calendar link of the caller at once. Owners can end the links of every member of the practice.',
  arguments: {
    id: column.uuid({ required: true, description: 'The `id` of `calendar_links`.' }),
  },
  returns: returns.nothing,
});
