import { describe, expect, it } from '@jest/globals';
import { isForbidden } from './addresses.js';

const policy = { allowsLoopback: false, forbidden: ['8.8.4.0/24', '2606:4700::1111'] };

describe('an address', () => {
  it.each([
    ...[
      '127.0.0.1',
      '127.8.8.8',
      '0.0.0.0',
      '10.1.2.3',
      '172.16.0.1',
      '192.168.1.1',
      '169.254.169.254',
      '100.64.0.1',
    ],
    ...[
      '192.0.0.1',
      '192.0.2.1',
      '198.18.0.1',
      '198.51.100.1',
      '203.0.113.1',
      '224.0.0.1',
      '240.0.0.1',
      '255.255.255.255',
    ],
    ...[
      '::',
      '::1',
      '::ffff:10.0.0.1',
      '::ffff:127.0.0.1',
      '::ffff:7f00:1',
      '::10.0.0.1',
      'fe80::1',
      'fc00::1',
      'fd12::1',
    ],
    ...[
      'fec0::1',
      'ff02::1',
      '64:ff9b::a00:1',
      '64:ff9b:1::1',
      '2002:a00:1::',
      '2001::1',
      '2001:db8::1',
      '3fff::1',
      '100::1',
    ],
    ...['8.8.4.4', '2606:4700::1111', 'example.com', ''],
  ])('%j is forbidden', (address) => {
    expect(isForbidden(address, policy)).toBe(true);
  });

  it.each(['8.8.8.8', '93.184.216.34', '2606:4700::1112', '2a00:1450:4001::200e', '::ffff:8.8.8.8'])(
    '%s is public',
    (address) => {
      expect(isForbidden(address, policy)).toBe(false);
    },
  );

  it('of this machine is permitted in development, but no other private address is', () => {
    const development = { ...policy, allowsLoopback: true };
    expect(['127.0.0.1', '::1', '::ffff:127.0.0.1'].map((one) => isForbidden(one, development))).toEqual([
      ...[false, false, false],
    ]);
    expect(
      ['10.0.0.1', '169.254.169.254', '0.0.0.0', '::'].map((one) => isForbidden(one, development)),
    ).toEqual([...[true, true, true, true]]);
  });
});
