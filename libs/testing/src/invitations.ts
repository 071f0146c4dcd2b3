import { createHash } from 'node:crypto';
import { withClient } from './database.js';
import { eventually } from './eventually.js';
import { logOf } from './logs.js';
import { stack } from './stack.js';

const LINK = /[?&]invitation=([\w-]{43})/g;

/** The token in the mailed link of an invitation: of all mailed tokens, the one whose hash is stored for the membership. */
export async function invitationToken(membershipId: string): Promise<string> {
  const { rows } = await withClient(stack().adminDatabaseUrl, (admin) =>
    admin.query<{ token_hash: string }>(
      'SELECT token_hash FROM identity.invitations WHERE membership_id = $1',
      [membershipId],
    ),
  );
  const found = await eventually('the invitation is mailed', () =>
    [...logOf('identity').matchAll(LINK)]
      .map(([, token]) => token as string)
      .find((token) => createHash('sha256').update(token).digest('base64url') === rows[0]?.token_hash),
  );
  return found as string;
}
