// The OpenAPI texts and schemas of the calls about accounts, by method and path of their routes.

import { reference } from '@practice/describe';
import { parameter } from '../http/endpoint.js';
import { oauthWords } from './oauth-calls.js';
import { email, fields, inCookies, password, PRACTICE_CLOSED, type Words } from './account-operation.js';

const { text, object } = fields;
const session = reference('schemas', 'Session');
const user = reference('schemas', 'User');
const factor = reference('schemas', 'Factor');

const inQuery = (name: string, schema: object, required: boolean): object =>
  parameter(name, 'query', { schema, required });

const inPath = parameter('id', 'path', { schema: fields.uuid });
const passkey = reference('schemas', 'Passkey');
const PASSKEY_LEVEL =
  'The level `aal2` is needed if the user has an authenticator app, or has a passkey and works in a practice that requires a second factor.';
const NO_PASSKEY = 'No passkey of the user has this id.';
/** The body with which a browser responds to a challenge. */
const signed = object({ challenge_id: fields.uuid, credential: fields.json });
const challenge = object({
  challenge_id: fields.uuid,
  options: { ...fields.json, description: 'For `navigator.credentials`, in its JSON form.' },
  expires_at: { type: 'integer', description: 'Unix time.' },
});
const NO_FACTOR = 'No factor of the user has this id.';

/** The page of the app to which the link in a mail leads. */
const redirectTo = inQuery('redirect_to', { type: 'string', format: 'uri' }, false);

const data = { type: 'object', description: 'Free data that the user sets about itself; 4 KiB at most.' };

export const accountWords: Readonly<Record<string, Words>> = {
  'post signup': {
    summary: 'Sign up: register a user and open a practice',
    description:
      'Where addresses are confirmed, the answer is the user without a session, whether or not the address has an account, and a mail leads on. `data.invitation`, the token of an invitation to this address, makes a member of that practice instead of a practice; no other mail is needed then.',
    parameters: [redirectTo, inCookies],
    body: object({ email, password, data }, ['email', 'password']),
    answers: [200, { anyOf: [session, user] }],
  },
  'post token': {
    summary: 'Sign in, or refresh a session',
    description:
      'A refresh token is used up. A second use after more than 10 seconds ends its whole session.',
    parameters: [inQuery('grant_type', { enum: ['password', 'refresh_token', 'pkce'] }, true), inCookies],
    body: {
      anyOf: [
        object({ email: text, password: text }),
        object({ refresh_token: text }),
        object({ auth_code: text, code_verifier: text }),
      ],
    },
    missing: 'The `auth_code` is not valid.',
    answers: [200, session],
  },
  'get user': { summary: 'The user', answers: [200, user] },
  'put user': {
    summary: 'Change the address, the password or the details of the user',
    description:
      'A new password or address requires a sign-in in the last minutes, `current_password` or `nonce`. A new password ends the other sessions, personal access tokens, grants of apps, calendar links and links to archives. Where addresses are confirmed, a new address is `new_email` until the mails to both addresses have been answered.',
    parameters: [redirectTo],
    body: object({ email, password, current_password: text, nonce: text, data }, []),
    answers: [200, user],
  },
  'get reauthenticate': {
    summary: 'Mail a code that confirms a change of the account',
    answers: [200, { type: 'object' }],
  },
  'post recover': {
    summary: 'Mail a link for a forgotten password',
    description: 'The answer is the same whether or not the address has an account.',
    parameters: [redirectTo],
    body: object({ email }),
    answers: [200, { type: 'object' }],
  },
  'post resend': {
    summary: 'Mail the link of a sign-up or of a new address again',
    description: 'The answer is the same whether or not there is one.',
    parameters: [redirectTo],
    body: object({ type: { enum: ['signup', 'email_change'] }, email }),
    answers: [200, { type: 'object' }],
  },
  'post verify': {
    summary: 'Sign in with the token of a mail',
    description: 'The first of the two answers to a new address has a `msg` instead of a session.',
    parameters: [inCookies],
    body: object({ type: { enum: ['recovery', 'signup', 'email', 'email_change'] }, token_hash: text }),
    answers: [200, { anyOf: [session, object({ msg: text, code: text })] }],
  },
  'get verify': {
    summary: 'The link of a mail: signs in and redirects to the app',
    description: 'The part of `Location` after `#` contains the session or the error.',
    parameters: [
      inQuery('token', text, true),
      inQuery('type', { enum: ['recovery', 'signup', 'email_change'] }, true),
      redirectTo,
    ],
    answers: [303],
  },
  'post logout': {
    summary: 'Sign out',
    description:
      'Access tokens of the ended sessions are refused at once. `global` also ends personal access tokens, grants of apps, calendar links and links to archives.',
    parameters: [inQuery('scope', { enum: ['global', 'local', 'others'], default: 'global' }, false)],
    answers: [204],
  },
  'get tokens': {
    summary: 'The personal access tokens',
    answers: [200, { type: 'array', items: reference('schemas', 'rpc.my_tokens.result') }],
  },
  'post tokens': {
    summary: 'Create a token for a script or an integration; only this response contains it',
    description:
      'Requires a sign-in in the last minutes, `current_password` or `nonce`. The token ends after 90 days, or at `expires_at` within 365 days.',
    body: reference('schemas', 'rpc.create_token.arguments'),
    conflict: PRACTICE_CLOSED,
    answers: [201, reference('schemas', 'rpc.create_token.result')],
  },
  'delete tokens/:id': {
    summary: 'Revoke a token',
    parameters: [inPath],
    missing: 'No token has this id.',
    answers: [204],
  },
  'post factors': {
    summary: 'Add an authenticator app as a second factor; it counts once its first code was verified',
    description: 'Requires a sign-in in the last minutes, `current_password` or `nonce`.',
    body: object(
      {
        factor_type: { const: 'totp' },
        friendly_name: text,
        issuer: text,
        current_password: text,
        nonce: text,
      },
      ['factor_type'],
    ),
    answers: [200, factor],
  },
  'delete factors/:id': {
    summary: 'Remove a second factor',
    description: 'Requires a sign-in in the last minutes, and for a verified factor the level `aal2`.',
    parameters: [inPath],
    missing: NO_FACTOR,
    answers: [200, object({ id: fields.uuid })],
  },
  'post factors/:id/challenge': {
    summary: 'Open a challenge; a code answers it within five minutes',
    parameters: [inPath],
    missing: NO_FACTOR,
    answers: [200, object({ id: fields.uuid, type: { const: 'totp' }, expires_at: { type: 'integer' } })],
  },
  'post factors/:id/verify': {
    summary: 'Verify the code of a second factor: the session continues at the level `aal2`',
    description: 'Each code is accepted once.',
    parameters: [inPath, inCookies],
    body: object({ challenge_id: fields.uuid, code: text }),
    missing: NO_FACTOR,
    answers: [200, session],
  },
  'get passkeys': { summary: 'The passkeys', answers: [200, { type: 'array', items: passkey }] },
  'patch passkeys/:id': {
    summary: 'Rename a passkey',
    parameters: [inPath],
    body: object({ friendly_name: { ...text, minLength: 1, maxLength: 120 } }),
    missing: NO_PASSKEY,
    answers: [200, passkey],
  },
  'delete passkeys/:id': {
    summary: 'Remove a passkey',
    description: `Requires a sign-in in the last minutes. ${PASSKEY_LEVEL}`,
    parameters: [inPath],
    missing: NO_PASSKEY,
    answers: [204],
  },
  'post passkeys/registration/options': {
    summary: 'Open a challenge with which the browser makes a passkey, within five minutes',
    description: `Requires a sign-in in the last minutes, \`current_password\` or \`nonce\`. ${PASSKEY_LEVEL}`,
    body: object({ current_password: text, nonce: text }, []),
    answers: [200, challenge],
  },
  'post passkeys/registration/verify': {
    summary: 'Add the passkey that the browser has made',
    description: PASSKEY_LEVEL,
    body: signed,
    answers: [200, passkey],
  },
  'post passkeys/authentication/options': {
    summary: 'Open a challenge for any passkey; an answer signs in, within five minutes',
    answers: [200, challenge],
  },
  'post passkeys/authentication/verify': {
    summary: 'Sign in with a passkey, at the level `aal2`',
    description: 'The error is the same for an unknown passkey and for a wrong signature.',
    parameters: [inCookies],
    body: signed,
    answers: [200, session],
  },
  ...oauthWords,
  'get .well-known/jwks.json': {
    summary: 'The public keys that verify access tokens',
    answers: [200, object({ keys: { type: 'array', items: { type: 'object' } } })],
  },
  'get settings': { summary: 'The supported ways to sign in', answers: [200, { type: 'object' }] },
  'get health': {
    summary: 'Health of the auth API',
    answers: [200, object({ version: text, name: text, description: text })],
  },
};
