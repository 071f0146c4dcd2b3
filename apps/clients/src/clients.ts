import type { ServiceParts } from '@practice/service';
import { client } from './clients/client.js';
import { countVisitsWhenAppointmentsComplete } from './policies/count-visits-when-appointments-complete.js';

/** The clients service: it owns clients and the conversation log, and knows which appointments and notes name a client. */
export const clients: ServiceParts = {
  service: 'clients',
  deciders: [client],
  mirrored: { appointments: ['client_id', 'status'], sessions: ['client_id'] },
  policies: [countVisitsWhenAppointmentsComplete],
};
