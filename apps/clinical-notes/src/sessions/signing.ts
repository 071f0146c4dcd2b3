// Signing, co-signing and voiding: changes of notes that callers can only make through functions.

import { noteSigned, sessions, type SessionNote } from '@practice/contracts';
import { problemFor, reject, type Identity } from '@practice/core';
import { type Changes, changedEvents, type LookupContext, deciding } from '@practice/resource';

type Sessions = typeof sessions;

/** Decides the changes that the functions make. */
export const signing = deciding(sessions, {
  changed: (changes, state, context) => {
    if (state === null) throw new Error('there is no note to sign');
    check(changes, state, context);
    return changedEvents(sessions, changes, {
      status: (status) => (status === 'voided' ? 'SessionNoteVoided' : 'SessionNoteSigned'),
    });
  },
});

/** @throws {Rejection} when the status of the note does not allow the change, or the caller may not make it */
function check(changes: Changes<Sessions>, note: SessionNote, { by }: LookupContext): void {
  if (by === undefined) throw new Error('a signature needs a caller');
  if (changes.voided_at === undefined && changes.cosigned_at === undefined) checkSignature(changes, note, by);
  else if (note.status !== 'signed') reject(notSigned(note));
  else if (changes.voided_at === undefined) checkCosignature(note, by);
  else checkVoid(note, by);
}

function checkSignature(
  { signed_meaning: meaning }: Pick<Changes<Sessions>, 'signed_meaning'>,
  note: SessionNote,
  { userId }: Identity,
): void {
  if (note.status !== 'draft') reject({ ...noteSigned, details: `sessions ${note.id}.` });
  if (meaning === 'authorship' && (note.author_id ?? userId) !== userId)
    reject(denied('Only the author of a note signs it for authorship.'));
}

function checkCosignature(note: SessionNote, { userId }: Identity): void {
  if (note.cosigned_at !== null) reject(alreadyCosigned);
  if (note.author_id === userId) reject(denied('The author of a note does not co-sign it.'));
  if (note.needs_cosign_by !== userId) reject(denied('Only the member in needs_cosign_by may co-sign it.'));
}

function checkVoid({ author_id: author }: SessionNote, { userId, practiceRole }: Identity): void {
  if (author !== userId && practiceRole !== 'owner')
    reject(denied('Only its author and owners may void it.'));
}

/** The problem for a note that must be signed, but is not signed or has been voided. */
export const notSigned = ({ id, status }: Pick<SessionNote, 'id' | 'status'>) =>
  problemFor('PM001', { message: `the note is ${status}, not signed`, details: `sessions ${id}.` });

const alreadyCosigned = problemFor('PM001', { message: 'the note is co-signed already' });

const denied = (details: string) =>
  problemFor('42501', { message: 'permission denied for table sessions', details });

/** The name that a signature prints. */
export const printedName = ({ userName, userId }: Identity): string => userName ?? userId;
