import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { archiveSeal, hashOf, newSecret, partId } from './archive-seal.js';

const bytes = fc.uint8Array({ maxLength: 5000 });

describe('the parts of an archive', () => {
  it('are opened with the secret of the link', () => {
    fc.assert(
      fc.property(bytes, fc.nat(), (plain, index) => {
        const secret = newSecret();
        const sealed = archiveSeal(secret).sealBytes(plain, partId(index));
        expect(archiveSeal(secret).openBytes(sealed, partId(index)).equals(plain)).toBe(true);
      }),
    );
  });

  it('are not opened with another secret, at another index, or if a bit was changed', () => {
    fc.assert(
      fc.property(bytes, fc.nat(1000), fc.nat(), (plain, index, place) => {
        const seal = archiveSeal(newSecret());
        const sealed = seal.sealBytes(plain, partId(index));
        const altered = Buffer.from(sealed);
        const at = place % altered.length;
        altered.writeUInt8(altered.readUInt8(at) ^ 1, at);
        expect(() => archiveSeal(newSecret()).openBytes(sealed, partId(index))).toThrow();
        expect(() => seal.openBytes(sealed, partId(index + 1))).toThrow();
        expect(() => seal.openBytes(altered, partId(index))).toThrow();
      }),
    );
  });

  it('are named by a hash that does not contain the secret', () => {
    const secret = newSecret();
    expect(hashOf(secret)).toHaveLength(43);
    expect(hashOf(secret)).not.toBe(secret);
  });
});
