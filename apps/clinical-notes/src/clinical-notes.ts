import type { ServiceParts } from '@practice/service';
import { sessionNote } from './sessions/session-note.js';

/** The clinical notes service: it owns sessions, and knows which clients and appointments there are. */
export const clinicalNotes: ServiceParts = {
  service: 'clinical-notes',
  deciders: [sessionNote],
  mirrored: { clients: [], appointments: ['client_id'] },
};
