// One line for each decider, policy and handler of a function of the service.

export * from './addenda/session-addendum.js';
export * from './diagnoses/diagnosis.js';
export * from './drafts/functions.js';
export * from './functions/cosign-note.js';
export * from './functions/sign-note.js';
export * from './functions/verify-note.js';
export * from './functions/void-note.js';
export * from './measures/measure.js';
export * from './sessions/session-note.js';
export * from './templates/note-template.js';
