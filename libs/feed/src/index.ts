export { advance, cursorSince, formatCursor, parseCursor } from './cursor.js';
export type { Cursor } from './cursor.js';
export type { FeedEvent } from './feed-event.js';
export type { Following } from './following.js';
export { PracticeFeed } from './practice-feed.js';
export { readsOf, resourceOfEvent, visibleEvent } from './visible-event.js';
export type { Reader } from './visible-event.js';
