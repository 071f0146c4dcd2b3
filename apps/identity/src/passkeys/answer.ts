import { type Fields, isText, isUuid } from '../calls/fields.js';
import { problems, refuse } from '../calls/problems.js';

/** The JSON of a browser's `PublicKeyCredential`. Only its id is checked yet. */
export interface Answer {
  readonly id: string;
  readonly response?: unknown;
}

/** WebAuthn permits 1023 bytes. */
const CREDENTIAL_ID = /^[A-Za-z0-9_-]{1,1364}$/;

/**
 * The answer of a browser to a challenge.
 * @throws {Rejection} when a part of it is missing or malformed
 */
export function answerOf(fields: Fields): { readonly challengeId: string; readonly answer: Answer } {
  const { challenge_id: challengeId, credential } = fields;
  if (!isText(challengeId) || !isUuid(challengeId)) return refuse(problems.badChallengeId);
  if (typeof credential !== 'object' || credential === null) return refuse(problems.badCredential);
  const { id } = credential as { id?: unknown };
  if (!isText(id) || !CREDENTIAL_ID.test(id)) return refuse(problems.badCredential);
  return { challengeId: challengeId.toLowerCase(), answer: { ...credential, id } };
}

const MAX_NAME = 120;

/** @throws {Rejection} when the new name of a passkey is missing, too long or not printable */
export function friendlyNameOf({ friendly_name: name }: Fields): string {
  const isName = isText(name) && name.length <= MAX_NAME && !/[\p{Cc}\p{Cs}]/u.test(name);
  return isName && name.trim() !== '' ? name.trim() : refuse(problems.badPasskeyName);
}
