// One line for each decider, policy, handler of a function and other class that Nest makes.

export * from './addenda/session-addendum.js';
export * from './diagnoses/diagnosis.js';
export * from './drafts/drafts.js';
export * from './drafts/functions.js';
export * from './functions/cosign-note.js';
export * from './functions/sign-note.js';
export * from './functions/verify-note.js';
export * from './functions/void-note.js';
export * from './measures/measure.js';
export * from './sessions/session-note.js';
export * from './templates/note-template.js';
