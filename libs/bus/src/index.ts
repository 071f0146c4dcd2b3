export { CallPattern, OpenCallPattern } from './messaging/call-pattern.js';
export * from './messaging/connection.js';
export { EnvelopeError } from './messaging/envelope.js';
export { FrameErrors } from './messaging/frame-errors.js';
export * from './messaging/frame-server.js';
export { listenTo } from './messaging/listen-to.js';
export * from './messaging/reply.js';
export * from './messaging/request.js';
export { createRequester } from './messaging/requester.js';
export type { Requester, RequesterOptions } from './messaging/requester.js';
export { createSigner, createVerifier } from './messaging/statement.js';
export type { ReadStatement, StateIdentity } from './messaging/statement.js';
export { asyncApi } from './events/asyncapi.js';
export { envelopeSchema } from './events/envelope-schema.js';
export { otherEvents } from './events/other-events.js';
export { eventIn, readCloudEvent, STREAM, subjectOf, toCloudEvent } from './events/envelope.js';
export type { CloudEvent, PublishedEvent, SubjectParts } from './events/envelope.js';
export { removeSubscription } from './events/consumers.js';
export type { Start } from './events/consumers.js';
export {
  deadLetterSubjects,
  discardDeadLetter,
  findDeadLetter,
  listDeadLetters,
  retryDeadLetter,
} from './events/dead-letters.js';
export type { DeadLetter } from './events/dead-letters.js';
export { deleteDeadLetters, deleteMessages } from './events/delete-messages.js';
export { subscriptionLags } from './events/lag.js';
export type { StoredMessage } from './events/event-stream.js';
export { askForPast, hasLostPast, OwnerUnavailable } from './events/past.js';
export { progressOf } from './events/progress.js';
export type { Progress } from './events/progress.js';
export { createPublisher, isPublishedAgain } from './events/publisher.js';
export type { Publisher, PublisherOptions } from './events/publisher.js';
export { redeliverAfter } from './events/redeliver.js';
export { replay } from './events/replay.js';
export type { Replayed, ReplayOptions } from './events/replay.js';
export { subscribe } from './events/subscribe.js';
export type { EventOf, SubscribeOptions, Subscription } from './events/subscribe.js';
export { deadLetterCounts, streamStates } from './events/stream-states.js';
