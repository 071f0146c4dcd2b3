import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { hashOf, newSecret, PartSeal } from './part-seal.js';

const bytes = fc.uint8Array({ maxLength: 5000 });

describe('the parts of an archive', () => {
  it('are opened with the secret of the link', () => {
    fc.assert(
      fc.property(bytes, fc.nat(), (plain, index) => {
        const secret = newSecret();
        const sealed = new PartSeal(secret).seal(index, plain);
        expect(new PartSeal(secret).open(index, sealed).equals(plain)).toBe(true);
      }),
    );
  });

  it('are not opened with another secret, in another place, or when a bit was changed', () => {
    fc.assert(
      fc.property(bytes, fc.nat(1000), fc.nat(), (plain, index, place) => {
        const seal = new PartSeal(newSecret());
        const sealed = seal.seal(index, plain);
        const altered = Buffer.from(sealed);
        const at = place % altered.length;
        altered.writeUInt8(altered.readUInt8(at) ^ 1, at);
        expect(() => new PartSeal(newSecret()).open(index, sealed)).toThrow();
        expect(() => seal.open(index + 1, sealed)).toThrow();
        expect(() => seal.open(index, altered)).toThrow();
      }),
    );
  });

  it('are named by a hash, which does not contain the secret', () => {
    const secret = newSecret();
    expect(hashOf(secret)).toHaveLength(43);
    expect(hashOf(secret)).not.toBe(secret);
  });
});
