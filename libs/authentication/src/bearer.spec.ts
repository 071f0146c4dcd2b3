import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { outcomeOf, type Problem } from '@practice/core';
import { bearerOf, ForeignKeys } from './bearer.js';

const messageOf = (header: string | undefined): string =>
  (outcomeOf(() => bearerOf(header, 'anon')) as Problem).message;

describe('the bearer of a request', () => {
  it.each(['Bearer a.b.c', 'bearer a.b.c', 'BEARER   a.b.c', ' Bearer a.b.c '])('is found in %j', (header) =>
    expect(bearerOf(header, 'anon')).toBe('a.b.c'),
  );

  it.each([undefined, '', 'Basic eDp5', 'a.b.c', 'Bearers a.b.c', 'Bearer anon'])(
    'is anonymous in %j',
    (header) => expect(messageOf(header)).toBe('Anonymous access is disabled'),
  );

  it.each(['Bearer', 'Bearer ', 'bearer    '])('is empty in %j', (header) =>
    expect(messageOf(header)).toBe('Empty JWT is sent in Authorization header'),
  );

  it('is found after any number of spaces', () =>
    expect(bearerOf(`Bearer${' '.repeat(50_000)}x`, 'anon')).toBe('x'));
});

describe('the keys of another issuer', () => {
  it('are not loaded from the address of a redirect', async () => {
    const asked: unknown[] = [];
    const issuer = createServer(({ url }, response) => {
      asked.push(url);
      response.writeHead(302, { location: '/elsewhere' }).end();
    });
    await new Promise<void>((listening) => issuer.listen(0, '127.0.0.1', listening));
    const keys = new ForeignKeys(`http://127.0.0.1:${(issuer.address() as AddressInfo).port}/keys`);
    const found = keys.keyFor({ alg: 'RS256', kid: 'any' });
    await expect(found.finally(() => issuer.close())).rejects.toMatchObject({ problem: { code: 'PM503' } });
    expect(asked).toEqual(['/keys']);
  });
});
