import { visibleEvent } from '@practice/feed';
import type { FeedEvent, Reader } from '@practice/feed';

/** The texts of an event, by what a reader is. Many readers of a practice share them. */
const texts = new WeakMap<FeedEvent, Map<string, string | undefined>>();

/** The part of an event that a reader may see, as JSON; undefined if that is nothing. */
export function visibleText(event: FeedEvent, reader: Reader): string | undefined {
  const key = [reader.role, ...(reader.scopes ?? ['all'])].join(' ');
  let known = texts.get(event);
  if (known === undefined) texts.set(event, (known = new Map()));
  if (known.has(key)) return known.get(key);
  const visible = visibleEvent(event, reader);
  const text = visible === undefined ? undefined : JSON.stringify(visible);
  known.set(key, text);
  return text;
}
