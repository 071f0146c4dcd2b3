import { describe, expect, it } from '@jest/globals';
import { Rejection } from '@practice/core';
import { credentialsOf, fieldsOf, metadataOf, refreshTokenOf } from './fields.js';

function codeOf(step: () => unknown): string {
  try {
    step();
  } catch (error) {
    if (error instanceof Rejection) return error.problem.code;
    throw error;
  }
  throw new Error('was not refused');
}

describe('the body of an auth call', () => {
  it.each(['', '{', '[]', 'null', '1', '"x"', '{"a":1}}', '\u0000'])('must be a JSON object: %j', (text) =>
    expect(codeOf(() => fieldsOf(Buffer.from(text)))).toBe('bad_json'),
  );

  it('is refused if it is empty', () => expect(codeOf(() => fieldsOf(Buffer.alloc(0)))).toBe('bad_json'));

  it('contains an address, whose case is ignored', () =>
    expect(credentialsOf({ email: ' Dana@Example.COM ', password: 'x' })).toEqual({
      email: 'dana@example.com',
      password: 'x',
    }));

  it.each([
    'no-address',
    'a@',
    '@b.c',
    'a b@c.de',
    'a@b@c.de',
    `${'a'.repeat(250)}@b.de`,
    'a\u0000@b.de',
    "a'--@b.de;",
    7,
    {},
  ])('is refused for an address like %j', (email) =>
    expect(codeOf(() => credentialsOf({ email }))).toBe('validation_failed'),
  );

  it('keeps user_metadata if it is a small object', () => {
    expect(metadataOf({ data: { name: 'Dana' } })).toEqual({ name: 'Dana' });
    expect(metadataOf({})).toEqual({});
    expect(codeOf(() => metadataOf({ data: [] }))).toBe('validation_failed');
    for (const name of ['x'.repeat(5000), '中'.repeat(2000)])
      expect(codeOf(() => metadataOf({ data: { name } }))).toBe('validation_failed');
    const name = '中'.repeat(1300);
    expect(metadataOf({ data: { name } })).toEqual({ name });
  });

  it('is refused without a well-formed refresh token', () => {
    expect(refreshTokenOf({ refresh_token: 'a'.repeat(32) })).toBe('a'.repeat(32));
    expect(codeOf(() => refreshTokenOf({}))).toBe('invalid_request');
    expect(codeOf(() => refreshTokenOf({ refresh_token: 'short' }))).toBe('validation_failed');
    expect(codeOf(() => refreshTokenOf({ refresh_token: 7 }))).toBe('validation_failed');
  });
});
