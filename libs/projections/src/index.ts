export { ApplyEventHandler } from './applying/apply-event.handler.js';
export { BatchHandler } from './applying/batch-handler.js';
export { MissingEvents } from './applying/missing-events.js';
export { PROJECTION_PARTS } from './folding/projection-parts.js';
export type { AnyPolicy, ProjectionParts } from './folding/projection-parts.js';
export { resourceOfEvent } from './folding/resource-of-event.js';
export { tableReactions } from './folding/table-reactions.js';
export { measureStreams } from './following/stream-metrics.js';
export {
  MirrorSubscriber,
  SUBSCRIBER_OPTIONS,
  subjectsBySource,
  subscriptionOf,
} from './following/subscriber.js';
export type { SubscriberOptions } from './following/subscriber.js';
