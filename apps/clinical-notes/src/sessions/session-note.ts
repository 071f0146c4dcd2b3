// The rules of a session note: its appointment, if it has one, is not another client's, its template or format has its
// sections, and it begins as a draft of its author. The definition locks signed notes.

import { appointments, memberships, sessions, type SessionNote } from '@practice/contracts';
import { reject } from '@practice/core';
import { changedEvents, lookup } from '@practice/resource';
import type { Command, CreateCommand, Decider, Draft, LookupContext } from '@practice/resource';
import { checkSections, sectionLookups } from './sections.js';

type Sessions = typeof sessions;

export const sessionNote: Decider<Sessions> = {
  definition: sessions,

  lookups(command, state) {
    const next = nextOf(command, state);
    if (next === null) return [];
    const appointmentId = moves(command) ? next.appointment_id : null;
    return [
      ...(appointmentId === null ? [] : [lookup(appointments, 'id', [appointmentId])]),
      ...(changesSections(command) ? sectionLookups(next) : []),
      ...(command.kind === 'create' && next.author_id !== null
        ? [lookup(memberships, 'user_id', [next.author_id])]
        : []),
    ];
  },

  decide(command, state, context) {
    const next = nextOf(command, state);
    if (next !== null && moves(command)) checkAppointment(next, context);
    if (next !== null && changesSections(command)) checkSections(next, context);
    switch (command.kind) {
      case 'create':
        return [{ type: 'SessionNoteWritten', data: written(command, context) }];
      case 'change':
        return changedEvents(sessions, command.changes, choice);
      case 'delete':
        return [{ type: 'SessionNoteDeleted', data: {} }];
    }
  },
};

/** Only `signing` changes the status. */
const choice = { status: () => 'SessionNoteRestored' as const };

/** The note after a command; null after a deletion. */
function nextOf(command: Command<Sessions>, state: SessionNote | null): SessionNote | null {
  if (command.kind === 'create') return command.record;
  return command.kind !== 'change' || state === null ? null : { ...state, ...command.changes };
}

/** Whether a command gives the note a client or an appointment. */
const moves = (command: Command<Sessions>): boolean => sets(command, ['appointment_id', 'client_id']);

const changesSections = (command: Command<Sessions>): boolean =>
  sets(command, ['sections', 'format', 'template_id']);

const sets = (command: Command<Sessions>, columns: readonly string[]): boolean =>
  command.kind === 'create' || (command.kind === 'change' && columns.some((name) => name in command.changes));

function checkAppointment(note: SessionNote, context: LookupContext): void {
  const { appointment_id: id, client_id: clientId } = note;
  if (id === null) return;
  const [booked] = context.rows(appointments, 'id', id);
  if (booked === undefined || booked.client_id === null || booked.client_id === clientId) return;
  reject({
    status: 409,
    code: '23503',
    message:
      'insert or update on table "sessions" violates foreign key constraint "sessions_appointment_id_fkey"',
    details: `Key (appointment_id, client_id)=(${id}, ${clientId}) is not present in table "appointments".`,
    hint: 'The appointment belongs to another client.',
  });
}

/** The columns of signatures, which only the functions that sign set. */
const OF_SIGNATURES = [
  'signed_at',
  'signed_by_name',
  'signed_meaning',
  'text_hash',
  'sealed_hash',
  'cosigned_at',
  'cosigned_by_name',
  'voided_at',
  'void_reason',
] as const;

/** A new note, which is a draft. One that comes back was a draft too. */
function written({ record, isUndo }: CreateCommand<Sessions>, context: LookupContext): Draft<Sessions> {
  if (isUndo === true) return record;
  for (const name of OF_SIGNATURES) if (record[name] !== null) reject(onlySigning(name));
  if (record.status !== 'draft') reject(onlySigning('status'));
  return { ...record, author_id: authorOf(record, context) };
}

/** @throws {Rejection} 42501 when another member than an owner names an author, 23503 for an author who is no active member */
function authorOf(
  { author_id: author }: Pick<SessionNote, 'author_id'>,
  context: LookupContext,
): string | null {
  const { by } = context;
  if (by === undefined || author === by.userId) return author;
  if (author === null) return by.userId;
  if (by.practiceRole !== 'owner') reject(notTheAuthor);
  if (!context.rows(memberships, 'user_id', author).some(({ status }) => status === 'active'))
    reject(notAMember(author));
  return author;
}

const onlySigning = (column: string) => ({
  status: 400,
  code: '428C9',
  message: `cannot insert a value into column "${column}"`,
  details: 'A note is written as a draft. rpc/sign_note, rpc/cosign_note and rpc/void_note set the column.',
});

const notTheAuthor = {
  status: 403,
  code: '42501',
  message: 'permission denied to write a note in the name of another member',
  details: 'Only owners set author_id to another member.',
};

const notAMember = (author: string) => ({
  status: 409,
  code: '23503',
  message: 'insert or update on table "sessions" violates foreign key constraint "sessions_author_id_fkey"',
  details: `Key (author_id)=(${author}) is not present in table "memberships".`,
  hint: 'The author is an active member of the practice.',
});
