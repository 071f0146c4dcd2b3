export { asyncApi } from './asyncapi.js';
export { catalogueTable } from './catalogue-table.js';
export type { AsyncApi } from './asyncapi.js';
export { EnvelopeError, readCloudEvent, STREAM, subjectOf, toCloudEvent } from './envelope.js';
export type { CloudEvent, PublishedEvent } from './envelope.js';
export { createPublisher } from './publisher.js';
export type { Publisher, PublisherOptions } from './publisher.js';
export { subscribe } from './subscribe.js';
export type { EventOf, SubscribeOptions, Subscription } from './subscribe.js';
