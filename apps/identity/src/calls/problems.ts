// The errors of the auth API, with the codes and messages that Supabase's clients know.

import type { AuthProblem } from '@practice/contracts';
import { tooManyRequests } from '@practice/contracts';
import { Rejection } from '@practice/core';
import { DatabaseError } from 'pg';

export { tooBusy } from '@practice/contracts';
export type { AuthProblem } from '@practice/contracts';

/** A row is a status, a code and a message. A row with only a message is a 400 `validation_failed`. */
const rows = {
  invalidCredentials: [400, 'invalid_credentials', 'Invalid login credentials'],
  unknownGrant: [400, 'invalid_credentials', 'unsupported_grant_type'],
  missingEmail: 'missing email or phone',
  invalidEmail: 'Unable to validate email address: invalid format',
  missingPassword: 'Signup requires a valid password',
  longPassword: 'Password cannot be longer than 72 characters',
  invalidData: 'data must be a JSON object that can be stored',
  noIdentity: [401, 'no_authorization', 'This endpoint requires a valid Bearer token'],
  userExists: [422, 'user_already_exists', 'User already registered'],
  userGone: [403, 'user_not_found', 'User from sub claim in JWT does not exist'],
  refreshTokenUnknown: [400, 'refresh_token_not_found', 'Invalid Refresh Token: Refresh Token Not Found'],
  refreshTokenUsed: [400, 'refresh_token_already_used', 'Invalid Refresh Token: Already Used'],
  refreshTokenMalformed: 'Refresh token is not valid',
  samePassword: [422, 'same_password', 'New password should be different from the old password.'],
  wrongCurrentPassword: [
    400,
    'current_password_invalid',
    'Current password required when setting new password.',
  ],
  wrongNonce: [422, 'reauthentication_not_valid', 'Nonce has expired or is invalid'],
  emailTaken: [422, 'email_exists', 'A user with this email address has already been registered'],
  emailOfMembership: [422, 'email_exists', 'Another membership of your practice has this email address'],
  missingRecoveryEmail: 'Password recovery requires an email',
  noPhone: [400, 'phone_provider_disabled', 'Unsupported phone provider'],
  noSuchToken: [404, 'token_not_found', 'Personal access token not found'],
  tooManyTokens: [422, 'too_many_tokens', 'A user can have at most 100 personal access tokens'],
  practiceClosed: [
    409,
    'practice_closed',
    'The practice is closed, so no personal access token can be made for it',
  ],
  badTokenName: 'name must be a string of 1 to 100 characters',
  badReadOnly: 'read_only must be true or false',
  badScopes:
    'scopes must be a list such as ["appointments:write", "clients:read"]: <resource>:read, <resource>:write, *:read, *:write or rpc:<function>, of resources and functions that exist',
  scopesAndReadOnly: 'Send scopes or read_only, not both',
  badExpiry: 'expires_at must be a time within the next 365 days, such as 2030-01-31T09:00:00Z',
  tooManyGrants: [422, 'too_many_grants', 'A user can give access to at most 100 apps'],
  noSuchAuthorization: [
    404,
    'oauth_authorization_not_found',
    'The authorization does not exist, has expired, or was answered before',
  ],
  noSuchDevice: [404, 'oauth_authorization_not_found', 'No device waits with this code'],
  noSuchOauthGrant: [404, 'oauth_grant_not_found', 'You have given no access to an app with this client_id'],
  badConsent: 'action must be approve or deny',
  badAsk: 'ask must be never, above or always',
  badTherapist: 'therapist_id must be the id of a practice that you are a member of',
  scopesNotAskedFor: 'scopes must be a list of scopes that the app asks for',
  noScopeLeft: 'Choose at least one scope that your role permits, or deny the access',
  foreignClient: [
    403,
    'oauth_client_not_allowed',
    'The app is registered in another practice and serves only its members',
  ],
  noAnonymous: [422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled'],
  otpDisabled: [422, 'otp_disabled', 'Signups not allowed for otp'],
  missingOtpAddress: 'One of email or phone must be set',
  missingResendType: 'Missing one of these types: signup, email_change, sms, phone_change',
  missingResendAddress: 'Type provided requires an email address',
  unknownProvider: 'Unsupported provider: provider is not enabled',
  ssoDisabled: [404, 'saml_provider_disabled', 'SAML 2.0 is disabled'],
  linkingDisabled: [404, 'manual_linking_disabled', 'Manual linking is disabled'],
  noPhoneFactor: [422, 'mfa_phone_enroll_not_enabled', 'MFA enroll is disabled for Phone'],
  noWebauthnFactor: [422, 'mfa_webauthn_enroll_not_enabled', 'MFA enroll is disabled for WebAuthn'],
  badFactorType: 'factor_type needs to be totp',
  badFactorName: 'friendly_name and issuer must be strings of 1 to 100 characters without a colon',
  tooManyFactors: [
    422,
    'too_many_enrolled_mfa_factors',
    'Maximum number of factors reached, unenroll to continue',
  ],
  noFactor: [422, 'mfa_factor_not_found', 'Add and verify a second factor first'],
  factorNotFound: [404, 'mfa_factor_not_found', 'Factor not found'],
  challengeNotFound: [422, 'mfa_factor_not_found', 'MFA factor with the provided challenge ID not found'],
  challengeExpired: [
    422,
    'mfa_challenge_expired',
    'MFA challenge has expired, verify against another challenge or create a new challenge.',
  ],
  missingFactorCode: 'code must be a string',
  wrongFactorCode: [422, 'mfa_verification_failed', 'Invalid TOTP code entered'],
  insufficientAal: [403, 'insufficient_aal', 'AAL2 required: verify a second factor in this session first'],
  sessionGone: [403, 'session_not_found', 'Session from session_id claim in JWT does not exist'],
  sessionIdle: [400, 'session_expired', 'Invalid Refresh Token: Session Expired (Inactivity)'],
  sessionOver: [400, 'session_expired', 'Invalid Refresh Token: Session Expired'],
  badChallengeId: 'challenge_id must be a valid UUID',
  badCredential: 'credential must be the JSON of a PublicKeyCredential',
  badPasskeyName: 'friendly_name must be a string of 1 to 120 characters',
  passkeyNotFound: [404, 'validation_failed', 'Passkey not found'],
  passkeyChallengeNotFound: [400, 'webauthn_challenge_not_found', 'Challenge not found or already used'],
  passkeyChallengeExpired: [400, 'webauthn_challenge_expired', 'Challenge has expired'],
  passkeyRefused: [400, 'webauthn_verification_failed', 'Credential verification failed'],
  passkeyExists: [422, 'webauthn_credential_exists', 'This credential is already registered'],
  tooManyPasskeys: [422, 'too_many_passkeys', 'Maximum number of passkeys reached'],
  halfChallenge: 'PKCE flow requires code_challenge_method and code_challenge',
  badChallenge: 'code challenge has to be between 43 and 128 characters, by the method s256 or plain',
  missingCode: 'invalid request: both auth code and code verifier should be non-empty',
  unknownCode: [404, 'flow_state_not_found', 'invalid flow state, no valid flow state found'],
  badVerifier: [400, 'bad_code_verifier', 'code challenge does not match previously saved code verifier'],
  linkExpired: [403, 'otp_expired', 'Email link is invalid or has expired'],
  noMail: [422, 'email_provider_disabled', 'Mail is not configured: SMTP_URL is not set'],
  missingVerification: 'Verify requires a verification type',
  missingToken: 'Verify requires either a token or a token hash',
  unknownVerification: 'Invalid email verification type',
  onlyTokenHash: 'Only the token_hash and type should be provided',
  onlyEmail: 'Only an email address or phone number should be provided on verify',
  codeExpired: [403, 'otp_expired', 'Token has expired or is invalid'],
} as const satisfies Record<string, Row>;

type Row = string | readonly [status: number, code: string, message: string];

function problem(row: Row): AuthProblem {
  const [status, code, message] = typeof row === 'string' ? [400, 'validation_failed', row] : row;
  return { status, code, message };
}

const plain = Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, problem(row)])) as Readonly<
  Record<keyof typeof rows, AuthProblem>
>;

export const problems = {
  ...plain,
  refreshTokenMissing: { ...problem([400, 'invalid_request', 'refresh_token required']), isOAuth: true },
  scopesBeyondRole: (role: string, scopes: readonly string[]): AuthProblem => ({
    status: 403,
    code: 'insufficient_role',
    message: `The role ${role} may not do what these scopes permit: ${scopes.join(', ')}`,
    hint: 'Leave these scopes out. Without scopes, a token may do everything that your role may.',
  }),
  factorNameTaken: (name: string): AuthProblem =>
    problem([
      422,
      'mfa_factor_name_conflict',
      `A factor with the friendly name "${name}" for this user already exists`,
    ]),
  reauthenticationNeeded: {
    ...problem([403, 'reauthentication_needed', 'This change requires a recent sign-in']),
    hint: 'Sign in again, or send current_password or the nonce of GET /auth/v1/reauthenticate.',
  },
  /** The account was created while addresses were not confirmed. */
  emailNotConfirmed: {
    ...problem([403, 'email_not_confirmed', 'Email not confirmed']),
    hint: 'Ask for a code with GET /auth/v1/reauthenticate, and send it as the nonce of PUT /auth/v1/user.',
  },
  mailTooSoon: (seconds: number): AuthProblem => ({
    status: 429,
    code: 'over_email_send_rate_limit',
    message: `For security purposes, you can only request this after ${seconds} seconds.`,
    headers: { 'Retry-After': String(seconds) },
  }),
  badJson: (why: string): AuthProblem =>
    problem([400, 'bad_json', `Could not parse request body as JSON: ${why}`]),
  badScope: (scope: string): AuthProblem => problem(`Unsupported logout scope "${scope}"`),
  shortPassword: {
    ...problem([422, 'weak_password', 'Password should be at least 8 characters.']),
    weakPassword: ['length'],
  },
  commonPassword: {
    ...problem([
      422,
      'weak_password',
      'Password is known to be weak and easy to guess, please choose a different one.',
    ]),
    weakPassword: ['pwned'],
  },
} satisfies Record<string, AuthProblem | ((...about: never[]) => AuthProblem)>;

/**
 * Refuses a call of the auth API.
 * @throws {Rejection} always
 */
export function refuse(refusal: AuthProblem): never {
  throw new Rejection(refusal);
}

/**
 * Refuses a call that is locked for this time.
 * @throws {Rejection} 429, always
 */
export const refuseLocked = (seconds: number): never =>
  refuse({ ...tooManyRequests, headers: { 'Retry-After': String(seconds) } });

/** @throws {Rejection} 429 unless the time for which a call is locked is 0 */
export function requireUnlocked(seconds: number): void {
  if (seconds > 0) refuseLocked(seconds);
}

/** Refuses a call that violates a constraint of the database with the problem of that constraint. Throws any other error again. */
export const refuseViolated =
  (refusals: Readonly<Record<string, AuthProblem>>) =>
  (error: unknown): never => {
    const constraint = error instanceof DatabaseError ? error.constraint : undefined;
    const refusal = constraint === undefined ? undefined : refusals[constraint];
    throw refusal === undefined ? error : new Rejection(refusal);
  };
