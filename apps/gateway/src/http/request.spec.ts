import { describe, expect, it } from '@jest/globals';
import { acceptedType } from './request.js';

const [first, second] = ['application/openapi+json', 'application/json'] as const;

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
