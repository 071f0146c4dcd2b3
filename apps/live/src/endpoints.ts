import { PracticeFeed } from '@practice/feed';
import { CalendarEndpoint } from './calendar/calendar.endpoint.js';
import type { Endpoint, LiveRuntime } from './endpoint.js';
import { FeedEndpoint } from './feed/feed.endpoint.js';
import { RealtimeEndpoint } from './realtime/realtime-endpoint.js';

/** Everything that callers reach in a live process: one line for each part. */
export const endpointsOf = (runtime: LiveRuntime): readonly Endpoint[] => [
  new FeedEndpoint(runtime, new PracticeFeed(runtime)),
  new RealtimeEndpoint(runtime),
  new CalendarEndpoint(runtime),
];
