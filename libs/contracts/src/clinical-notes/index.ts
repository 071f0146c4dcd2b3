import { sessions } from './sessions.js';

export * from './sessions.js';

export const clinicalNotes = [sessions] as const;
