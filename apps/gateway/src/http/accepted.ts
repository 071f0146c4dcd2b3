import Negotiator from 'negotiator';

/**
 * The media type that an `Accept` header prefers.
 * @param types what can be sent; the first one if the header is missing
 * @returns undefined if the header accepts none of them
 */
export function acceptedType(accept: string | undefined, types: readonly string[]): string | undefined {
  const isMissing = accept === undefined || accept.trim() === '';
  // Our text is always UTF-8, so a type that is asked for with that parameter is the same type.
  const offered = types.flatMap((type) => [type, `${type}; charset=utf-8`]);
  const chosen = isMissing ? types[0] : new Negotiator({ headers: { accept } }).mediaType(offered);
  return chosen?.split(';', 1)[0];
}
