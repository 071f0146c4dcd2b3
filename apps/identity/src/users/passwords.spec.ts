import { describe, expect, it } from '@jest/globals';
import { Rejection } from '@practice/core';
import { checkNewPassword, isOutdated, Passwords } from './passwords.js';

const email = 'dana.lev@example.com';

function refusalOf(password: unknown): object {
  try {
    checkNewPassword(password, email);
  } catch (error) {
    if (error instanceof Rejection) return error.problem;
    throw error;
  }
  throw new Error('was not refused');
}

describe('a new password', () => {
  it.each([
    'correct horse battery',
    'x7!kfz9q',
    'zażółć gęślą jaźń',
    '𝒂𝒃𝒄𝒅𝒆𝒇𝒈𝒉',
    'seventeen green herons '.repeat(3) + 'x7q',
  ])('may be %s', (password) => expect(checkNewPassword(password, email)).toBe(password));

  it.each([undefined, null, '', 12345678, {}, ['password']])('must be a text: %p', (password) =>
    expect(refusalOf(password)).toMatchObject({
      status: 400,
      code: 'validation_failed',
      message: 'Signup requires a valid password',
    }),
  );

  it('has at least 8 characters, however many bytes they take', () =>
    expect(refusalOf('𝒂𝒃𝒄𝒅𝒆𝒇𝒈')).toMatchObject({
      status: 422,
      code: 'weak_password',
      message: 'Password should be at least 8 characters.',
      weakPassword: ['length'],
    }));

  it('has at most 72 characters', () =>
    expect(refusalOf('ab'.repeat(37))).toMatchObject({
      status: 400,
      message: 'Password cannot be longer than 72 characters',
    }));

  it.each([
    'password',
    'Passw0rd',
    'Password123!',
    'Welcome2025',
    'welcome2024!',
    'Summer2025!!',
    'Practice2025',
    'Th3r4pist1',
    'sunshine42',
    'December25',
    'welcomewelcome',
    'qwerty!234',
    'dana.lev2025',
    'qwertyuiop',
    '1234567890',
    'aaaaaaaaaaaa',
    email,
    'Dana.Lev',
  ])('must not be a common one: %s', (password) =>
    expect(refusalOf(password)).toMatchObject({
      status: 422,
      code: 'weak_password',
      weakPassword: ['pwned'],
    }),
  );
});

describe('hashed passwords', () => {
  const passwords = new Passwords();

  it('are argon2id, and match only their own password', async () => {
    const hash = await passwords.hash('correct horse battery');
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await passwords.matches(hash, 'correct horse battery')).toBe(true);
    expect(await passwords.matches(hash, 'correct horse batterz')).toBe(false);
  });

  it('match no password if there is no account', async () => {
    expect(await passwords.matches(undefined, 'a password without an account')).toBe(false);
  });

  it('are refused while too many requests wait, and accepted afterwards', async () => {
    const attempts = Array.from({ length: 210 }, () => passwords.hash('correct horse battery'));
    const outcomes = await Promise.allSettled(attempts);
    const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason as Rejection] : []));
    expect(refused).toHaveLength(8);
    expect(refused[0]?.problem).toMatchObject({ status: 503, headers: { 'Retry-After': '2' } });
    expect(await passwords.hash('again')).toMatch(/^\$argon2id/);
  });
});

describe('a stored hash', () => {
  it('is outdated unless it was made with the current parameters', async () => {
    const today = await new Passwords().hash('correct horse battery');
    expect(isOutdated(today)).toBe(false);
    for (const other of ['m=65536,t=2,p=1', 'm=19456,t=3,p=1', 'm=19456,t=2,p=2', 'm=19456,t=20,p=1'])
      expect(isOutdated(today.replace('m=19456,t=2,p=1', other))).toBe(true);
    expect(isOutdated(today.replace('argon2id', 'argon2i'))).toBe(true);
  });
});
