// Access tokens of OAuth clients: JWTs of the identity service that name a grant. The identity service decides whether the grant is
// still valid, and which role it has, as for a personal token.

/** The type of an access token of an OAuth client (RFC 9068). Tokens of sessions have another type. */
const TYPE = 'at+jwt';

/**
 * Whether an `Authorization` header seems to have the access token of an OAuth client, which needs no API key. The signature covers
 * the type, so the type of a session's token cannot be changed.
 */
export function isClientToken(header: string | undefined): boolean {
  const [, encoded] = /^bearer +([\w-]{1,1024})[.]/i.exec(header ?? '') ?? [];
  if (encoded === undefined) return false;
  try {
    const { typ } = JSON.parse(Buffer.from(encoded, 'base64url').toString()) as { typ?: unknown };
    return typ === TYPE;
  } catch {
    return false;
  }
}
