import type { ServiceParts } from '@practice/service';
import { appointment } from './appointments/appointment.js';

/**
 * The scheduling service, as a table of contents: it owns appointments, the service menu and business hours (their
 * definitions say so), and these have rules of their own.
 */
export const scheduling: ServiceParts = {
  service: 'scheduling',
  deciders: [appointment],
};
