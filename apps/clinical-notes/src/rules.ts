// One line for each decider and each policy of the service.

export * from './sessions/session-note.js';
