// The subjects on which live processes talk to each other. Only their NATS user may use them.

/** Everything that live processes say to each other. */
export const LIVE_SUBJECTS = 'practice.live.>';

/** Each live process says here that it is alive. */
export const ALIVE_SUBJECT = 'practice.live.alive';

/**
 * The subject of a topic of a practice.
 * @param topic one token: the hash of the topic's name
 */
export const topicSubject = (therapistId: string, topic: string): string =>
  `practice.live.topic.${therapistId}.${topic}`;
