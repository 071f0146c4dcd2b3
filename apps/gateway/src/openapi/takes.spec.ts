import { describe, expect, it } from '@jest/globals';
import { takes } from './takes.js';

const types = ['application/openapi+json', 'application/json'];

describe('whether an Accept header takes a type', () => {
  it.each<[string | undefined, boolean]>([
    [undefined, true],
    ['', true],
    ['*/*', true],
    ['application/*', true],
    ['application/openapi+json', true],
    ['Application/JSON; charset=utf-8', true],
    ['text/html, application/json;q=0.1', true],
    ['application/json;q=0', false],
    ['application/json;q=0.0, text/html', false],
    ['text/csv', false],
    ['text/*', false],
    ['application/vnd.pgrst.object+json', false],
  ])('%s: %s', (accept, taken) => {
    expect(takes(accept, types)).toBe(taken);
  });
});
