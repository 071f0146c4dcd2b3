import type { ServiceParts } from '@practice/service';
import { appointment } from './appointments/appointment.js';
import { renameOnAppointmentsWhenClientRenamed } from './policies/rename-on-appointments-when-client-renamed.js';

/**
 * The scheduling service, as a table of contents: it owns appointments, the service menu and business hours (their
 * definitions say so), the first of which have rules of their own, and it knows clients by name.
 */
export const scheduling: ServiceParts = {
  service: 'scheduling',
  deciders: [appointment],
  mirrored: { clients: ['name'] },
  policies: [renameOnAppointmentsWhenClientRenamed],
};
