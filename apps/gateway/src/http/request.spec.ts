import { describe, expect, it } from '@jest/globals';
import { acceptedType, loggedPath } from './request.js';

const [first, second] = ['application/openapi+json', 'application/json'] as const;

const BROADCAST = '/realtime/v1/api/broadcast/:topic/events/:event';

describe('the accepted media type', () => {
  it.each<[string | undefined, string | undefined]>([
    [undefined, first],
    ['', first],
    ['*/*', first],
    ['application/*', first],
    ['application/openapi+json', first],
    ['Application/JSON; charset=utf-8', second],
    ['text/html, application/json;q=0.1', second],
    ['application/openapi+json;q=0.5, application/json', second],
    ['application/json;q=0', undefined],
    ['application/json;q=0.0, text/html', undefined],
    ['text/csv', undefined],
    ['text/*', undefined],
    ['application/vnd.pgrst.object+json', undefined],
  ])('of %s is %s', (accept, type) => {
    expect(acceptedType(accept, [first, second])).toBe(type);
  });
});

describe('the logged path', () => {
  const logged = (url: string, route?: string): string =>
    loggedPath({ raw: { url }, routeOptions: { url: route } } as Parameters<typeof loggedPath>[0]);

  it('is the path without the query', () => {
    expect(logged('/rest/v1/clients?name=eq.Ada', '/rest/v1/*')).toBe('/rest/v1/clients');
  });

  it.each([
    ['/realtime/v1/api/broadcast/client%3A%20Ada/events/note-saved', BROADCAST],
    ['/realtime/v1/api/%62roadcast/client%3A%20Ada/events/note-saved', BROADCAST],
    ['http://api.example/realtime/v1/api/broadcast/Ada/Lovelace', undefined],
  ])('has no topic and no event: %s', (url, route) => {
    expect(logged(url, route)).toMatch(/\/realtime\/v1\/api\/broadcast\/…$/);
  });
});
