import { describe, expect, it } from '@jest/globals';
import { urlProblem } from './addresses.js';

const production = { allowsLoopback: false, forbidden: [] };
const development = { allowsLoopback: true, forbidden: [] };

describe('a URL', () => {
  it.each([
    'https://example.com/hook?token=1',
    'https://example.com:8443/',
    'https://8.8.8.8/',
    'https://EXAMPLE.com./',
  ])('%s is accepted', (url) => {
    expect(urlProblem(url, production)).toBeUndefined();
  });

  it.each([
    ['', 'it is no URL'],
    ['example.com', 'it is no URL'],
    ['http://example.com/', 'its scheme must be https'],
    ['file:///etc/passwd', 'its scheme must be https'],
    ['https://a:b@example.com/', 'it must not contain credentials'],
    ['https://example.com/#x', 'it must not contain a fragment'],
    ...[
      'localhost',
      'x.localhost',
      'LOCALHOST.',
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0x7f000001',
      '017700000001',
    ].map((host) => [`https://${host}/`, 'its address is not public'] as const),
    ...[
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[::ffff:a00:1]',
      '[64:ff9b::10.0.0.1]',
      '169.254.169.254',
      '１０.0.0.1',
      '0',
    ].map((host) => [`https://${host}/`, 'its address is not public'] as const),
    ...['intranet', 'db.internal', 'printer.local', 'x.home.arpa'].map(
      (host) => [`https://${host}/`, 'its host name is not public'] as const,
    ),
  ])('%s is refused: %s', (url, problem) => {
    expect(urlProblem(url, production)).toBe(problem);
  });

  it('may have the scheme http in development, but only for this machine', () => {
    for (const host of ['localhost:8080', '127.0.0.1:80', '[::1]'])
      expect(urlProblem(`http://${host}/`, development)).toBeUndefined();
    expect(urlProblem('http://10.0.0.1/', development)).toBe('its scheme must be https');
    expect(urlProblem('https://10.0.0.1/', development)).toBe('its address is not public');
  });
});
