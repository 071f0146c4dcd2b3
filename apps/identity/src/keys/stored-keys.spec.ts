import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { KeySeal } from './stored-keys.js';

const secret = 'a secret of at least thirty-two characters';
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const sealed = new KeySeal(secret).seal(privateKey, 'kid');

describe('a sealed key', () => {
  it('opens with the same secret and under the same name', () =>
    expect(new KeySeal(secret).open(sealed, 'kid')?.equals(privateKey)).toBe(true));

  it('is sealed differently each time', () =>
    expect(new KeySeal(secret).seal(privateKey, 'kid')).not.toBe(sealed));

  /** The text with another character at `at`. (Not for the last character: some of its bits may belong to no byte.) */
  const swapped = (text: string, at: number): string =>
    text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);

  it.each<[string, string, string, string]>([
    ['another secret', `${secret}!`, sealed, 'kid'],
    ['another name', secret, sealed, 'other'],
    ['a changed byte', secret, swapped(sealed, 30), 'kid'],
    ['a part of it', secret, sealed.slice(0, 20), 'kid'],
    ['nothing', secret, '', 'kid'],
    ['another format', secret, sealed.replace('v1.', 'v2.'), 'kid'],
  ])('does not open with %s', (_what, given, text, kid) =>
    expect(new KeySeal(given).open(text, kid)).toBeUndefined(),
  );
});
