// One line for each decider, policy and handler of a function of the service.

export * from './sessions/session-note.js';
