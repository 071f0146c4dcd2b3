// The errors of the auth API, with the codes and messages that Supabase's clients know.

import type { AuthProblem } from '@practice/contracts';
import { Rejection } from '@practice/core';

export { tooBusy, tooManyRequests } from '@practice/contracts';
export type { AuthProblem } from '@practice/contracts';

const problem = (status: number, code: string, message: string): AuthProblem => ({ status, code, message });
const invalid = (message: string): AuthProblem => problem(400, 'validation_failed', message);

export const invalidCredentials = problem(400, 'invalid_credentials', 'Invalid login credentials');
export const unknownGrant = problem(400, 'invalid_credentials', 'unsupported_grant_type');
export const missingEmail = invalid('missing email or phone');
export const invalidEmail = invalid('Unable to validate email address: invalid format');
export const missingPassword = invalid('Signup requires a valid password');
export const longPassword = invalid('Password cannot be longer than 72 characters');
export const invalidData = invalid('data must be a JSON object that can be stored');
export const noIdentity = problem(401, 'no_authorization', 'This endpoint requires a valid Bearer token');
export const userExists = problem(422, 'user_already_exists', 'User already registered');
export const userGone = problem(403, 'user_not_found', 'User from sub claim in JWT does not exist');
export const refreshTokenUnknown = problem(
  400,
  'refresh_token_not_found',
  'Invalid Refresh Token: Refresh Token Not Found',
);
export const refreshTokenUsed = problem(
  400,
  'refresh_token_already_used',
  'Invalid Refresh Token: Already Used',
);
export const refreshTokenMissing: AuthProblem = {
  ...problem(400, 'invalid_request', 'refresh_token required'),
  isOAuth: true,
};
export const refreshTokenMalformed = invalid('Refresh token is not valid');

export const samePassword = problem(
  422,
  'same_password',
  'New password should be different from the old password.',
);
export const wrongCurrentPassword = problem(
  400,
  'current_password_invalid',
  'Current password required when setting new password.',
);
export const wrongNonce = problem(422, 'reauthentication_not_valid', 'Nonce has expired or is invalid');
export const emailTaken = problem(
  422,
  'email_exists',
  'A user with this email address has already been registered',
);
export const missingRecoveryEmail = invalid('Password recovery requires an email');
export const noPhone = problem(400, 'phone_provider_disabled', 'Unsupported phone provider');
export const noSuchToken = problem(404, 'token_not_found', 'Personal access token not found');
export const tooManyTokens = problem(
  422,
  'too_many_tokens',
  'A user can have at most 100 personal access tokens',
);
export const practiceClosed = problem(
  409,
  'practice_closed',
  'The practice is closed, so no personal access token can be made for it',
);
export const badTokenName = invalid('name must be a string of 1 to 100 characters');
export const badReadOnly = invalid('read_only must be true or false');
export const badScopes = invalid(
  'scopes must be a list such as ["appointments:write", "clients:read"]: <resource>:read, <resource>:write, *:read, *:write or rpc:<function>, of resources and functions that exist',
);
export const scopesBeyondRole = (role: string, scopes: readonly string[]): AuthProblem => ({
  ...problem(
    403,
    'insufficient_role',
    `The role ${role} may not do what these scopes permit: ${scopes.join(', ')}`,
  ),
  hint: 'Leave these scopes out. Without scopes, a token may do everything that your role may.',
});
export const scopesAndReadOnly = invalid('Send scopes or read_only, not both');
export const badExpiry = invalid(
  'expires_at must be a time within the next 365 days, such as 2030-01-31T09:00:00Z',
);
export const noAnonymous = problem(422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled');
export const otpDisabled = problem(422, 'otp_disabled', 'Signups not allowed for otp');
export const missingOtpAddress = invalid('One of email or phone must be set');
export const missingResendType = invalid(
  'Missing one of these types: signup, email_change, sms, phone_change',
);
export const missingResendAddress = invalid('Type provided requires an email address');
export const unknownProvider = invalid('Unsupported provider: provider is not enabled');
export const ssoDisabled = problem(404, 'saml_provider_disabled', 'SAML 2.0 is disabled');
export const linkingDisabled = problem(404, 'manual_linking_disabled', 'Manual linking is disabled');
export const noPhoneFactor = problem(422, 'mfa_phone_enroll_not_enabled', 'MFA enroll is disabled for Phone');
export const noWebauthnFactor = problem(
  422,
  'mfa_webauthn_enroll_not_enabled',
  'MFA enroll is disabled for WebAuthn',
);
export const badFactorType = invalid('factor_type needs to be totp');
export const badFactorName = invalid(
  'friendly_name and issuer must be strings of 1 to 100 characters without a colon',
);
export const factorNameTaken = (name: string): AuthProblem =>
  problem(
    422,
    'mfa_factor_name_conflict',
    `A factor with the friendly name "${name}" for this user already exists`,
  );
export const tooManyFactors = problem(
  422,
  'too_many_enrolled_mfa_factors',
  'Maximum number of factors reached, unenroll to continue',
);
export const noFactor = problem(422, 'mfa_factor_not_found', 'Add and verify a second factor first');
export const factorNotFound = problem(404, 'mfa_factor_not_found', 'Factor not found');
export const challengeNotFound = problem(
  422,
  'mfa_factor_not_found',
  'MFA factor with the provided challenge ID not found',
);
export const challengeExpired = problem(
  422,
  'mfa_challenge_expired',
  'MFA challenge has expired, verify against another challenge or create a new challenge.',
);
export const missingFactorCode = invalid('code must be a string');
export const wrongFactorCode = problem(422, 'mfa_verification_failed', 'Invalid TOTP code entered');
export const insufficientAal = problem(
  403,
  'insufficient_aal',
  'AAL2 required: verify a second factor in this session first',
);
export const sessionGone = problem(
  403,
  'session_not_found',
  'Session from session_id claim in JWT does not exist',
);
export const reauthenticationNeeded: AuthProblem = {
  ...problem(403, 'reauthentication_needed', 'This change requires a recent sign-in'),
  hint: 'Sign in again, or send current_password or the nonce of GET /auth/v1/reauthenticate.',
};
/** The account was made before addresses were confirmed. */
export const emailNotConfirmed: AuthProblem = {
  ...problem(403, 'email_not_confirmed', 'Email not confirmed'),
  hint: 'Ask for a code with GET /auth/v1/reauthenticate, and send it as the nonce of PUT /auth/v1/user.',
};
export const sessionIdle = problem(
  400,
  'session_expired',
  'Invalid Refresh Token: Session Expired (Inactivity)',
);
export const sessionOver = problem(400, 'session_expired', 'Invalid Refresh Token: Session Expired');
export const passkeysDisabled = problem(404, 'passkey_disabled', 'Passkeys are disabled');
export const halfChallenge = invalid('PKCE flow requires code_challenge_method and code_challenge');
export const badChallenge = invalid(
  'code challenge has to be between 43 and 128 characters, by the method s256 or plain',
);
export const missingCode = invalid('invalid request: both auth code and code verifier should be non-empty');
export const unknownCode = problem(
  404,
  'flow_state_not_found',
  'invalid flow state, no valid flow state found',
);
export const badVerifier = problem(
  400,
  'bad_code_verifier',
  'code challenge does not match previously saved code verifier',
);
export const linkExpired = problem(403, 'otp_expired', 'Email link is invalid or has expired');
export const noMail = problem(422, 'email_provider_disabled', 'Mail is not configured: SMTP_URL is not set');
export const missingVerification = invalid('Verify requires a verification type');
export const missingToken = invalid('Verify requires either a token or a token hash');
export const unknownVerification = invalid('Invalid email verification type');
export const onlyTokenHash = invalid('Only the token_hash and type should be provided');
export const onlyEmail = invalid('Only an email address or phone number should be provided on verify');
export const codeExpired = problem(403, 'otp_expired', 'Token has expired or is invalid');
export const mailTooSoon = (seconds: number): AuthProblem => ({
  ...problem(
    429,
    'over_email_send_rate_limit',
    `For security purposes, you can only request this after ${seconds} seconds.`,
  ),
  headers: { 'Retry-After': String(seconds) },
});

export const badJson = (why: string): AuthProblem =>
  problem(400, 'bad_json', `Could not parse request body as JSON: ${why}`);
export const badScope = (scope: string): AuthProblem => invalid(`Unsupported logout scope "${scope}"`);

export const shortPassword: AuthProblem = {
  ...problem(422, 'weak_password', 'Password should be at least 8 characters.'),
  weakPassword: ['length'],
};
export const commonPassword: AuthProblem = {
  ...problem(
    422,
    'weak_password',
    'Password is known to be weak and easy to guess, please choose a different one.',
  ),
  weakPassword: ['pwned'],
};

/**
 * Refuses a call of the auth API.
 * @throws {Rejection} always
 */
export function refuse(refusal: AuthProblem): never {
  throw new Rejection(refusal);
}
