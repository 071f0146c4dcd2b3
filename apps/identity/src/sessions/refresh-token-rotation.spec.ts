import { describe, expect, it } from '@jest/globals';
import { RefreshTokenRotation } from './refresh-token-rotation.js';

const rotationOf = (keyEncryptionKey: string) => new RefreshTokenRotation({ keyEncryptionKey });

const [first, second] = ['the first key-encryption key, which', 'the second key-encryption key that'].map(
  (text) => text.replaceAll(/[ ,]/g, '-'),
) as [string, string];

describe('the refresh token that follows', () => {
  it('is the same for the same token, and different for others', () => {
    const rotation = rotationOf(first);
    expect(rotation.after('a')).toBe(rotationOf(first).after('a'));
    expect(rotation.after('a')).not.toBe(rotation.after('b'));
  });

  it('depends only on the newest key', () => {
    expect(rotationOf(`${second},${first}`).after('a')).toBe(rotationOf(second).after('a'));
    expect(rotationOf(second).after('a')).not.toBe(rotationOf(first).after('a'));
  });
});
