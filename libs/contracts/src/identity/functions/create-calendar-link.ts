import { column, defineFunction, returns } from '@practice/resource';
import { calendarRoles } from '../calendar-links.js';
import { recentProof } from './recent-proof.js';

export const createCalendarLink = defineFunction({
  name: 'create_calendar_link',
  service: 'identity',
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
  effect: 'writes',
  roles: calendarRoles,
  needsSession: true,
});
