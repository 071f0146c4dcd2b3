// The subjects on which live processes send messages to each other. Only their NATS user may use them.

/** All messages between live processes. */
export const LIVE_SUBJECTS = 'practice.live.>';

/** The subject on which each live process reports that it is alive. */
export const ALIVE_SUBJECT = 'practice.live.alive';

/**
 * The subject of a topic of a practice.
 * @param topic the hash of the topic's name, which is one token of the subject
 */
export const topicSubject = (therapistId: string, topic: string): string =>
  `practice.live.topic.${therapistId}.${topic}`;
