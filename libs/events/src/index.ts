export { EnvelopeError, readCloudEvent, STREAM, subjectOf, toCloudEvent } from './envelope.js';
export type { CloudEvent, PublishedEvent } from './envelope.js';
export { createPublisher } from './publisher.js';
export type { Publisher, PublisherOptions } from './publisher.js';
export { subscribe } from './subscribe.js';
export type { EventMap, EventOf, SubscribeOptions, Subscription } from './subscribe.js';
