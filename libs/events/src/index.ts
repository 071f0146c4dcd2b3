export { asyncApi } from './asyncapi.js';
export { catalogueTable } from './catalogue-table.js';
export type { AsyncApi } from './asyncapi.js';
export { EnvelopeError, readCloudEvent, STREAM, subjectOf, toCloudEvent } from './envelope.js';
export type { CloudEvent, PublishedEvent, SubjectParts } from './envelope.js';
export { consumerNames } from './consumers.js';
export type { Start } from './consumers.js';
export {
  deadLetterSubjects,
  discardDeadLetter,
  findDeadLetter,
  listDeadLetters,
  retryDeadLetter,
} from './dead-letters.js';
export type { DeadLetter } from './dead-letters.js';
export { deleteDeadLetters, deleteMessages } from './delete-messages.js';
export { subscriptionLags } from './lag.js';
export type { SubscriptionLag } from './lag.js';
export { publishedConsumer } from './event-stream.js';
export type { StoredMessage } from './event-stream.js';
export { askForPast, hasLostAge, OwnerUnavailable } from './past.js';
export { progressOf } from './progress.js';
export type { Progress } from './progress.js';
export { createPublisher } from './publisher.js';
export type { Publisher, PublisherOptions } from './publisher.js';
export { rewind } from './rewind.js';
export { removeSubscription } from './remove-subscription.js';
export { replay } from './replay.js';
export type { Replayed, ReplayOptions } from './replay.js';
export { subscribe } from './subscribe.js';
export type { EventOf, SubscribeOptions, Subscription } from './subscribe.js';
export { deadLetterCounts, streamStates } from './stream-states.js';
export type { StreamState } from './stream-states.js';
