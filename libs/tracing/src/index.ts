export { applyInSpan, recordEvents } from './event-spans.js';
export { activeTraceparent, childSpan, inSpan, isTracing, recordSpan, startTracing } from './tracing.js';
export type { OpenSpan } from './tracing.js';
export { traceIdOf, traceparentOf } from './traceparent.js';
