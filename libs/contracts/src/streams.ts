/** The stream of the bus with the published events of all services. */
export const STREAM = 'PRACTICE_EVENTS';

/** The stream with the messages that a subscriber could not process. */
export const DEAD_LETTER_STREAM = 'PRACTICE_DEAD_LETTERS';
