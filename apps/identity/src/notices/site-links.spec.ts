import { describe, expect, it } from '@jest/globals';
import { SiteLinks } from './site-links.js';

const links = new SiteLinks({ baseUrl: 'https://api.example.com', siteUrl: 'https://app.example.com/start' });

describe('the link of a recovery mail', () => {
  it('leads through the API to the app', () => {
    const mailed = links.verification('recovery', 'a-token', 'https://app.example.com/reset?x=1');
    const link = new URL(mailed.link);
    expect(link.origin + link.pathname).toBe('https://api.example.com/auth/v1/verify');
    expect(Object.fromEntries(link.searchParams)).toEqual({
      token: 'a-token',
      type: 'recovery',
      redirect_to: 'https://app.example.com/reset?x=1',
    });
  });

  it.each([
    null,
    '',
    '/reset',
    'https://evil.example.com/',
    'https://app.example.com.evil.com/',
    'https://app.example.com@evil.com/',
    'https://user:pass@app.example.com/',
    'http://app.example.com/',
    'https://app.example.com:8443/',
    'javascript:alert(1)',
    '//evil.com',
    'https:evil.com',
  ])('leads to the app’s own page rather than to %s', (wished) =>
    expect(links.allowed(wished)).toBe('https://app.example.com/start'),
  );

  it('takes `localhost` and its addresses for one host, on the same port', () => {
    const local = new SiteLinks({ baseUrl: 'http://127.0.0.1:8080', siteUrl: 'http://127.0.0.1:8080/' });
    expect(
      ['http://localhost:8080/console/', 'http://localhost:8081/', 'https://localhost:8080/'].map((wished) =>
        local.allowed(wished),
      ),
    ).toEqual(['http://localhost:8080/console/', 'http://127.0.0.1:8080/', 'http://127.0.0.1:8080/']);
    expect(links.allowed('http://localhost/')).toBe('https://app.example.com/start');
  });

  it('passes the session in the fragment', () =>
    expect(links.withFragment('https://app.example.com/reset?x=1', { type: 'recovery', a: 'b c' })).toBe(
      'https://app.example.com/reset?x=1#type=recovery&a=b+c',
    ));
});
