// The Accept header: the shape of response that the caller asks for.

import { reject } from '@practice/core';

/** The shapes a response can have. */
export interface Media {
  readonly shape: 'array' | 'object' | 'csv';
  /** Whether members that are null are left out. */
  readonly stripped: boolean;
  readonly contentType: string;
}

const mediaOf = (shape: Media['shape'], type: string): Media => ({
  shape,
  stripped: type.endsWith(';nulls=stripped'),
  contentType: `${type}; charset=utf-8`,
});

const array = mediaOf('array', 'application/json');
const object = mediaOf('object', 'application/vnd.pgrst.object+json');
const strippedArray = mediaOf('array', 'application/vnd.pgrst.array+json;nulls=stripped');
const strippedObject = mediaOf('object', 'application/vnd.pgrst.object+json;nulls=stripped');
const csv = mediaOf('csv', 'text/csv');

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
 * The most preferred shape that the dialect supports.
 * @throws {Rejection} PGRST107 if it supports none
 */
export function negotiated(accept: string | null): Media {
  if (accept === null || accept.trim() === '') return array;
  const exact = supported.get(accept);
  if (exact !== undefined) return exact;
  const best = accept
    .split(',')
    .map(mediaRange)
    .toSorted((a, b) => b.quality - a.quality || b.specificity - a.specificity)
    .find(({ name }) => supported.has(name));
  return supported.get(best?.name ?? '') ?? notAcceptable(accept);
}

/** The media type with its quality. The only other parameter that is kept is `nulls=stripped`. Names are in lower case, without spaces. */
function mediaRange(text: string) {
  const [type = '', ...parameters] = text.toLowerCase().replaceAll(' ', '').split(';');
  const quality = Number.parseFloat(
    parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '',
  );
  const named = parameters.filter((parameter) => !parameter.startsWith('q='));
  const stripped = named.includes('nulls=stripped') ? ';nulls=stripped' : '';
  return {
    name: type + stripped,
    /** 0 is least preferred, but not excluded, as in PostgREST. */
    quality: Number.isNaN(quality) ? 1 : quality,
    /** Of equally preferred types the more specific one applies; of equally specific ones the first. */
    specificity: named.length - (type.split('*').length - 1),
  };
}

/** @throws {Rejection} PGRST107, always */
export function notAcceptable(accept: string): never {
  const named = accept
    .split(',')
    .map((part) => part.trim().slice(0, 100))
    .join(', ');
  const message = `None of these media types are available: ${named.slice(0, 300)}`;
  return reject('PGRST107', { message });
}
