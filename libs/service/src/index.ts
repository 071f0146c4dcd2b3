export { classesIn, defineService } from './define-service.js';
export { runService } from './process/run-service.js';
export { observeReply } from './requests/reply-metrics.js';
export { replyInSpan } from './requests/reply-span.js';
export type { ServiceExtension, ServiceParts, ServiceRuntime } from './service-parts.js';
