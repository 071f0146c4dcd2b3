// The Accept header: what shape of answer the caller takes.

import { reject } from '@practice/core';

/** The shapes an answer can have. */
export interface Media {
  readonly shape: 'array' | 'object' | 'csv';
  /** Whether members that are null are left out. */
  readonly stripped: boolean;
  readonly contentType: string;
}

const array: Media = { shape: 'array', stripped: false, contentType: 'application/json; charset=utf-8' };
const object: Media = {
  shape: 'object',
  stripped: false,
  contentType: 'application/vnd.pgrst.object+json; charset=utf-8',
};
const strippedArray: Media = {
  shape: 'array',
  stripped: true,
  contentType: 'application/vnd.pgrst.array+json;nulls=stripped; charset=utf-8',
};
const strippedObject: Media = {
  shape: 'object',
  stripped: true,
  contentType: 'application/vnd.pgrst.object+json;nulls=stripped; charset=utf-8',
};
const csv: Media = { shape: 'csv', stripped: false, contentType: 'text/csv; charset=utf-8' };

const supported: ReadonlyMap<string, Media> = new Map([
  ['*/*', array],
  ['application/*', array],
  ['application/json', array],
  ['application/vnd.pgrst.array', array],
  ['application/vnd.pgrst.array+json', array],
  ['application/vnd.pgrst.array;nulls=stripped', strippedArray],
  ['application/vnd.pgrst.array+json;nulls=stripped', strippedArray],
  ['text/csv', csv],
  ['application/vnd.pgrst.object', object],
  ['application/vnd.pgrst.object+json', object],
  ['application/vnd.pgrst.object;nulls=stripped', strippedObject],
  ['application/vnd.pgrst.object+json;nulls=stripped', strippedObject],
]);

/**
 * The best shape that both sides know.
 * @throws {Rejection} PGRST107 when there is none
 */
export function negotiated(accept: string | undefined): Media {
  if (accept === undefined || accept.trim() === '') return array;
  const known = supported.get(accept);
  if (known !== undefined) return known;
  const ranges = accept.split(',').map(mediaRange);
  // Stable: of two that are preferred alike the first counts.
  const best = ranges
    .toSorted((a, b) => b.quality - a.quality)
    .find(({ name, quality }) => quality > 0 && supported.has(name));
  return supported.get(best?.name ?? '') ?? notAcceptable(accept);
}

interface MediaRange {
  readonly name: string;
  readonly quality: number;
}

/** The type with the one parameter that matters, in lower case and without spaces. */
function mediaRange(text: string): MediaRange {
  const [type = '', ...parameters] = text
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const quality = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1);
  const stripped = parameters.includes('nulls=stripped') ? ';nulls=stripped' : '';
  return { name: type + stripped, quality: Number.isNaN(quality) ? 1 : quality };
}

/** @throws {Rejection} PGRST107, always */
export function notAcceptable(accept: string): never {
  const named = accept
    .split(',')
    .map((part) => part.trim().slice(0, 100))
    .join(', ');
  return reject({
    status: 406,
    code: 'PGRST107',
    message: `None of these media types are available: ${named.slice(0, 300)}`,
  });
}
