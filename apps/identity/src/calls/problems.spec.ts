import { describe, expect, it } from '@jest/globals';
import { authProblemResponse } from '@practice/contracts';
import { problems, tooBusy } from './problems.js';

const bodyOf = (version: string | undefined, problem = problems.invalidCredentials): unknown =>
  JSON.parse(authProblemResponse(problem, version).body);

describe('a refusal of the auth API', () => {
  it.each(['2024-01-01', '2025-06-30'])('has named codes for callers of %s', (version) => {
    expect(bodyOf(version)).toEqual({ code: 'invalid_credentials', message: 'Invalid login credentials' });
    expect(authProblemResponse(problems.invalidCredentials, version).headers).toMatchObject({
      'X-Supabase-Api-Version': '2024-01-01',
      'X-Sb-Error-Code': 'invalid_credentials',
    });
  });

  it.each([undefined, '', '2023-12-31', 'latest'])('has the older shape for callers of %p', (version) => {
    expect(bodyOf(version)).toEqual({
      code: 400,
      error_code: 'invalid_credentials',
      msg: 'Invalid login credentials',
      message: 'Invalid login credentials',
    });
    expect(authProblemResponse(problems.invalidCredentials, version).headers).not.toHaveProperty(
      'X-Supabase-Api-Version',
    );
  });

  it('contains the reasons why a password is weak', () =>
    expect(bodyOf('2024-01-01', problems.shortPassword)).toEqual({
      code: 'weak_password',
      message: 'Password should be at least 8 characters.',
      weak_password: { reasons: ['length'] },
    }));

  it('also has the fields of OAuth where clients expect them', () =>
    expect(bodyOf('2024-01-01', problems.refreshTokenMissing)).toEqual({
      error: 'invalid_request',
      error_description: 'refresh_token required',
      code: 'invalid_request',
      message: 'refresh_token required',
    }));

  it.each(['2024-01-01', undefined])(
    'repeats the seconds of Retry-After in details for callers of %p',
    (version) => {
      for (const [problem, details] of [
        [problems.mailTooSoon(56), 'Retry after 56 seconds.'],
        [{ ...tooBusy, headers: { 'Retry-After': '1' } }, 'Retry after 1 second.'],
      ] as const)
        expect(bodyOf(version, problem)).toMatchObject({ message: problem.message, details });
      expect(bodyOf(version)).not.toHaveProperty('details');
    },
  );
});
