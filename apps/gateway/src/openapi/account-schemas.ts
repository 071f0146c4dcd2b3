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
  description: 'Not among the commonest.',
};

export const fields = { text, uuid, instant, json, object };

export const accountSchemas = {
  User: {
    ...object({
      id: { ...uuid, description: 'Also the `therapist_id` of all of the practice’s records.' },
      aud: { const: 'authenticated' },
      role: { const: 'authenticated' },
      email: text,
      app_metadata: json,
      user_metadata: { ...json, description: 'Free data that the user sets about itself.' },
      identities: { type: 'array', items: json },
      created_at: instant,
      updated_at: instant,
      is_anonymous: { type: 'boolean' },
    }),
    description: 'A user, who is a practice.',
  },
  Session: {
    ...object(
      {
        access_token: { ...text, description: 'A JWT: the bearer of calls for records.' },
        token_type: { const: 'bearer' },
        expires_in: { type: 'integer', description: 'Seconds.' },
        expires_at: { type: 'integer', description: 'Unix time.' },
        refresh_token: { ...text, description: 'Good for one new session.' },
        user: { $ref: '#/components/schemas/User' },
      },
      ['token_type', 'expires_in', 'expires_at', 'user'],
    ),
    description: 'The response to a sign-in. It has no tokens if they are in cookies.',
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
      object({ error: text, error_description: text, code: text, message: text }),
    ],
  },
  PersonalToken: {
    ...object({
      id: uuid,
      name: text,
      prefix: { ...text, description: 'The first characters of the token, to recognize it by.' },
      read_only: { type: 'boolean' },
      expires_at: { type: ['string', 'null'], format: 'date-time' },
      created_at: instant,
      last_used_at: { type: ['string', 'null'], format: 'date-time' },
    }),
    description: 'A token for a script or an integration, without the token itself.',
  },
} as const;
