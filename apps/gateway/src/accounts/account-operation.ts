// The OpenAPI operation of a call about accounts.

import type { AccountRoute } from '@practice/contracts';
import { headersOf, type Operation, reference } from '@practice/describe';

// Requests and responses of the calls about accounts, as Supabase Auth's clients know them (https://github.com/supabase/auth).

const text = { type: 'string' };
const uuid = { type: 'string', format: 'uuid' };
const instant = { type: 'string', format: 'date-time' };
const json = { type: 'object' };

const object = (properties: object, required: readonly string[] = Object.keys(properties)): object => ({
  type: 'object',
  properties,
  required,
});

export const email = { type: 'string', format: 'email', maxLength: 255 };
export const password = {
  type: 'string',
  minLength: 8,
  maxLength: 72,
  description: 'Not among the most common passwords.',
};

export const fields = { text, uuid, instant, json, object };

export const accountSchemas = {
  User: {
    ...object(
      {
        id: { ...uuid, description: 'Also the id of the practice that the sign-up has opened, if any.' },
        aud: { const: 'authenticated' },
        role: { const: 'authenticated' },
        email: text,
        app_metadata: json,
        user_metadata: { ...json, description: 'Free data that the user sets about itself.' },
        identities: { type: 'array', items: json },
        factors: { type: 'array', items: json, description: 'The second factors, if there are any.' },
        created_at: instant,
        updated_at: instant,
        is_anonymous: { type: 'boolean' },
      },
      [
        ...['id', 'aud', 'role', 'email', 'app_metadata', 'user_metadata', 'identities'],
        ...['created_at', 'updated_at', 'is_anonymous'],
      ],
    ),
    description: 'A person who signs in.',
  },
  Session: {
    ...object(
      {
        access_token: { ...text, description: 'A JWT: the bearer of calls for records.' },
        token_type: { const: 'bearer' },
        expires_in: { type: 'integer', description: 'Seconds.' },
        expires_at: { type: 'integer', description: 'Unix time.' },
        refresh_token: { ...text, description: 'Valid for one refresh.' },
        user: { $ref: '#/components/schemas/User' },
      },
      ['token_type', 'expires_in', 'expires_at', 'user'],
    ),
    description: 'The response to a sign-in. It has no tokens if they are in cookies.',
  },
  Factor: {
    ...object({
      id: uuid,
      type: { const: 'totp' },
      friendly_name: text,
      totp: object({
        qr_code: { ...text, description: 'A picture for the authenticator app (SVG).' },
        secret: { ...text, description: 'The same for typing (base32).' },
        uri: { ...text, description: 'The same as a link.' },
      }),
    }),
    description: 'A new second factor. Only this response contains its secret.',
  },
  Passkey: {
    ...object(
      {
        id: uuid,
        friendly_name: { ...text, description: 'Missing until the passkey is renamed.' },
        created_at: instant,
        last_used_at: instant,
      },
      ['id', 'created_at'],
    ),
    description: 'A passkey that signs the user in.',
  },
  AuthProblem: {
    description:
      'Why a call for an account was refused. With `X-Supabase-Api-Version: 2024-01-01` the code is `code`, otherwise `error_code`.',
    anyOf: [
      object({ code: text, message: text, details: text, hint: text }, ['code', 'message']),
      object(
        { code: { type: 'integer' }, error_code: text, msg: text, message: text, details: text, hint: text },
        ['code', 'error_code', 'msg', 'message'],
      ),
      // The errors of the OAuth protocol.
      object({ error: text, error_description: text }),
    ],
  },
} as const;

/** The parts of the OpenAPI operation that differ between the calls about accounts. */
export interface Words {
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly object[];
  readonly body?: object;
  /** The description of the 404 response. */
  readonly missing?: string;
  /** The description of the 409 response. */
  readonly conflict?: string;
  /** The status of a successful response, and the schema of its body. */
  readonly answers: readonly [status: number, schema?: object];
}

/** The 409 response of calls that give access to a practice. */
export const PRACTICE_CLOSED = 'The practice is closed (`practice_closed`).';

/** The parameter of calls that can set cookies. */
export const inCookies = {
  name: 'Prefer',
  in: 'header',
  description: '`session=cookie`: the tokens are set as cookies, and not in the answer.',
  schema: fields.text,
};

/** The OpenAPI operation of a call about accounts, with the errors that every call about accounts can return. */
export function accountOperation(
  words: Words,
  { method, access, isLimitedByAddress, isProtocol }: AccountRoute,
): Operation {
  const { body, missing, conflict, answers, ...said } = words;
  const isLimited = isLimitedByAddress === true || ['user', 'session'].includes(access);
  const [status, schema] = answers;
  const media = isProtocol ? 'application/x-www-form-urlencoded' : 'application/json';
  return {
    tags: ['accounts'],
    ...said,
    ...(body !== undefined && { requestBody: { required: true, content: { [media]: { schema: body } } } }),
    responses: {
      [status]: {
        description: 'Done.',
        headers: headersOf(headersAt(status, words)),
        ...(schema === undefined ? {} : { content: { 'application/json': { schema } } }),
      },
      400: refused('The request is malformed, or the credentials are wrong.'),
      ...(access !== 'open' && {
        401: refused('The API key is missing or wrong (`PM401`), or the token is missing.'),
      }),
      ...(isProtocol && { 401: refused('The credentials of the app are wrong (`invalid_client`).') }),
      403: refused(
        'The token is invalid, or its session or user no longer exists; or the call requires a recent sign-in (`reauthentication_needed`) or a second factor (`insufficient_aal`).',
      ),
      ...refusalsOf({ method, missing, conflict }),
      422: refused('The change is not possible: the address is taken, or the password is too weak.'),
      ...(isLimited ? { 429: refused('Too many calls; `Retry-After` contains the seconds to wait.') } : {}),
      500: refused('A defect of the server.'),
      ...(status === 303 ? { default: refused('The link cannot be followed.') } : {}),
      503: refused('The identity service or its database is unavailable, or too many users are signing in.'),
    },
  };
}

/** The errors that only some calls can return. */
const refusalsOf = ({ method, missing, conflict }: Refusals): Operation['responses'] => ({
  ...(missing !== undefined && { 404: refused(missing) }),
  ...(conflict !== undefined && { 409: refused(conflict) }),
  ...(method !== 'GET' && {
    504: refused('It is unknown whether the call was carried out. Check that before you repeat it.'),
  }),
});

interface Refusals extends Pick<AccountRoute, 'method'> {
  readonly missing: string | undefined;
  readonly conflict: string | undefined;
}

const headersAt = (status: number, { parameters = [] }: Words): string[] => [
  ...(status === 303 ? ['Location'] : []),
  ...(parameters.includes(inCookies) ? ['Preference-Applied', 'Set-Cookie'] : []),
];

const refused = (description: string): object => ({
  ...reference('responses', 'AuthRefused'),
  description,
});

const REFUSAL_HEADERS = ['X-Sb-Error-Code', 'X-Supabase-Api-Version', 'WWW-Authenticate', 'Retry-After'];

/** All errors of calls about accounts have one form. Each operation adds its own description. */
export const accountResponses = {
  AuthRefused: {
    description: 'The call was refused.',
    headers: headersOf(REFUSAL_HEADERS),
    content: { 'application/json': { schema: reference('schemas', 'AuthProblem') } },
  },
};
