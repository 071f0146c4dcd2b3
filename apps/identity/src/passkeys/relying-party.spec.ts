import { describe, expect, it } from '@jest/globals';
import { isCounterBehind, isOwnOrigin, relyingPartyId } from './relying-party.js';

describe('the relying party', () => {
  it.each([
    ['https://app.example.com', 'app.example.com'],
    ['https://example.com:8443/app/', 'example.com'],
    ['http://localhost:8000', 'localhost'],
    ['http://127.0.0.1:8000', 'localhost'],
    ['http://[::1]:8000', 'localhost'],
    ['http://10.0.0.7', 'localhost'],
  ])('of %s is %s', (siteUrl, id) => {
    expect(relyingPartyId({ siteUrl })).toBe(id);
  });

  const deployed = { siteUrl: 'https://app.example.com/start', baseUrl: 'https://api.app.example.com' };

  it.each(['https://app.example.com', 'https://api.app.example.com'])('accepts pages of %s', (origin) => {
    expect(isOwnOrigin(deployed, origin)).toBe(true);
  });

  it.each([
    'http://app.example.com',
    'https://app.example.com:8443',
    'https://evil.app.example.com',
    'https://app.example.com.evil.org',
    'https://app.example.com/',
    'http://localhost:5173',
    'null',
    '',
  ])('refuses pages of %s', (origin) => {
    expect(isOwnOrigin(deployed, origin)).toBe(false);
  });

  it('accepts pages on every port of localhost, but only in development', () => {
    const local = { siteUrl: 'http://127.0.0.1:8000', baseUrl: 'http://127.0.0.1:8000' };
    for (const origin of ['http://localhost', 'http://localhost:5173', 'https://localhost:3000'])
      expect(isOwnOrigin(local, origin)).toBe(true);
    for (const origin of [
      'http://localhost.evil.org',
      'http://evil.localhost',
      'http://localhost:5173@evil.org',
    ])
      expect(isOwnOrigin(local, origin)).toBe(false);
  });
});

describe('a counter', () => {
  it.each([
    [1, '0', false],
    [5, '4', false],
    [4, '4', true],
    [3, '4', true],
    [0, '4', true],
    // Many authenticators do not count.
    [0, '0', false],
  ])('of %i after %s is behind: %s', (counter, stored, isBehind) => {
    expect(isCounterBehind(counter, stored)).toBe(isBehind);
  });
});
