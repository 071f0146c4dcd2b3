import { describe, expect, it } from '@jest/globals';
import { Rejection } from '@practice/core';
import { answersChallenge, challengeOf } from './mailed-tokens.js';

// RFC 7636, appendix B.
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

describe('a code challenge', () => {
  it('is answered only by its verifier', () => {
    const hashed = challengeOf({ code_challenge: challenge, code_challenge_method: 's256' }) ?? '';
    expect(answersChallenge(hashed, verifier)).toBe(true);
    expect(answersChallenge(hashed, challenge)).toBe(false);
    expect(answersChallenge(hashed, '')).toBe(false);
    const plain = challengeOf({ code_challenge: verifier, code_challenge_method: 'plain' }) ?? '';
    expect(answersChallenge(plain, verifier)).toBe(true);
    expect(answersChallenge(plain, challenge)).toBe(false);
  });

  it.each([{}, { code_challenge: null, code_challenge_method: null }, { code_challenge: '' }])(
    'is missing from %j',
    (fields) => expect(challengeOf(fields)).toBeNull(),
  );

  it.each<object>([
    { code_challenge: challenge },
    { code_challenge_method: 's256' },
    { code_challenge: challenge, code_challenge_method: 'md5' },
    { code_challenge: 'short', code_challenge_method: 's256' },
    { code_challenge: 'x'.repeat(129), code_challenge_method: 's256' },
    { code_challenge: `${challenge}!`, code_challenge_method: 's256' },
    { code_challenge: 7, code_challenge_method: 's256' },
  ])('is refused as %j', (fields) =>
    expect(() => challengeOf(fields as Record<string, unknown>)).toThrow(Rejection),
  );
});
