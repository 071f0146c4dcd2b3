import { describe, expect, it } from '@jest/globals';
import { RefreshTokenRotation } from './refresh-token-rotation.js';

const [first, second] = ['the first key-encryption key, which', 'the second key-encryption key that'].map(
  (text) => text.replaceAll(/[ ,]/g, '-'),
) as [string, string];

describe('the refresh token that follows', () => {
  it('is the same for the same token, and different for others', () => {
    const rotation = new RefreshTokenRotation(first);
    expect(rotation.after('a')).toBe(new RefreshTokenRotation(first).after('a'));
    expect(rotation.after('a')).not.toBe(rotation.after('b'));
  });

  it('follows from the newest key only', () => {
    expect(new RefreshTokenRotation(`${second},${first}`).after('a')).toBe(
      new RefreshTokenRotation(second).after('a'),
    );
    expect(new RefreshTokenRotation(second).after('a')).not.toBe(new RefreshTokenRotation(first).after('a'));
  });
});
