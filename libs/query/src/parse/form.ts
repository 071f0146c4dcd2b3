import type { Steps } from '@practice/core';
import { setOwn, type KeepsKey } from './json.js';

/** The characters of one step. */
const PIECE = 8_192;

/** The members of a form. The last of several values for one name applies. */
export function* formRow(text: string, keepsKey: KeepsKey): Steps<object> {
  const row = {};
  let count = 0;
  let at = 0;
  while (at < text.length) {
    const next = text.indexOf('&', at + PIECE);
    const end = next < 0 ? text.length : next;
    // A plus takes `URLSearchParams` several times as long as a space.
    const piece = text.slice(at, end).split('+').join(' ');
    for (const [name, value] of new URLSearchParams(piece)) {
      const isNew = !Object.hasOwn(row, name);
      if (isNew && !keepsKey(name, count)) continue;
      if (isNew) count += 1;
      setOwn(row, name, value);
    }
    at = end;
    yield;
  }
  return row;
}
