// Kinds of settings: schemas that convert the text of an environment variable to its value. The error message is the allowed form.

import { isIP } from 'node:net';
import * as v from 'valibot';

/** A schema that reads the text of a variable. Its only issue describes the allowed form. */
export type Kind<T> = v.GenericSchema<string, T>;

/** A whole number from `least` to `most`. */
export function whole(least: number, most: number): Kind<number> {
  const allowed = `a whole number from ${least} to ${most}`;
  return v.pipe(
    v.string(),
    v.regex(/^\d{1,10}$/, allowed),
    v.transform(Number),
    v.minValue(least, allowed),
    v.maxValue(most, allowed),
  );
}

/** Text that matches `pattern`. */
export const text = (pattern: RegExp, allowed: string): Kind<string> =>
  v.pipe(v.string(), v.regex(pattern, allowed));

/** One of these words. */
export const oneOf = <const W extends string>(...words: readonly W[]): Kind<W> =>
  v.pipe(v.string(), v.picklist(words, `one of ${words.join(', ')}`));

/** One of these whole numbers. */
export const oneNumberOf = (...numbers: readonly number[]): Kind<number> =>
  v.pipe(oneOf(...numbers.map(String)), v.transform(Number));

const partsOf = (value: string): string[] => value.split(',').map((part) => part.trim());

/** Text whose parts are URLs with one of these schemes. */
const urlsIn = (read: (value: string) => readonly string[], schemes: readonly string[]): Kind<string> =>
  v.pipe(
    v.string(),
    v.check(
      (value) => read(value).every((part) => hasScheme(part, schemes)),
      `a URL that begins ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`,
    ),
  );

/** A URL with one of these schemes. */
export const url = (...schemes: readonly string[]): Kind<string> => urlsIn((value) => [value], schemes);

/** URLs with one of these schemes, separated by commas. */
export const urls = (...schemes: readonly string[]): Kind<string> => urlsIn(partsOf, schemes);

/** Parts separated by commas. Each must pass `isAllowed`. */
export const list = (isAllowed: (part: string) => boolean, allowed: string): Kind<readonly string[]> =>
  v.pipe(
    v.string(),
    v.transform((value) => partsOf(value).filter(Boolean)),
    v.check((parts) => parts.every(isAllowed), allowed),
  );

/** Whether a text is an IP address, or a network such as 10.0.0.0/8. */
export function isNetwork(part: string): boolean {
  const [address = '', bits, ...rest] = part.split('/');
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  const isMask = bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= longest);
  return longest > 0 && rest.length === 0 && isMask;
}

/** Whether a text is an origin in the form that browsers send. */
export const isOrigin = (part: string): boolean =>
  hasScheme(part, ['http', 'https']) && new URL(part).origin === part;

/** Whether a text is one URL with one of these schemes. In a list of URLs or hosts, the host would contain a comma. */
function hasScheme(value: string, schemes: readonly string[]): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, host } = new URL(value);
  return schemes.includes(protocol.slice(0, -1)) && !host.includes(',');
}
