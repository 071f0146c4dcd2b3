export { advance, BEGINNING, cursorSince, formatCursor, parseCursor } from './cursor.js';
export type { Cursor, LogPosition } from './cursor.js';
export type { FeedEvent } from './feed-event.js';
export type { Following, FollowOptions } from './following.js';
export { PracticeFeed } from './practice-feed.js';
export type { Page, PageOptions, PracticeFeedParts } from './practice-feed.js';
export { readsOf, visibleEvent } from './visible-event.js';
export type { Reader } from './visible-event.js';
