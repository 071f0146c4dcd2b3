// Drafts of notes, which are in no log: a later read must return the text of the last acknowledged save.

import { randomUUID } from 'node:crypto';
import { oneOf, read, taken } from './requests.js';
import type { Operation } from './worker.js';

export const saveDraft: Operation = (caller, { notes }) => {
  const note = taken(caller, notes);
  if (note === undefined) return undefined;
  const body = { session_id: note.id, version: note.version, plan: randomUUID() };
  return {
    request: { method: 'POST', path: '/rest/v1/rpc/save_draft', body },
    expected: 200,
    effects: [],
    remember: (text) => {
      const { version } = JSON.parse(text) as { version: string };
      notes.push({ id: note.id, version, plan: body.plan });
    },
  };
};

export const readDraft: Operation = (caller, { notes }) => {
  const note = oneOf(
    caller,
    notes.filter(({ version }) => version !== null),
  );
  if (note === undefined) return undefined;
  const { id, version, plan } = note;
  const isHeld = (text: string): boolean => text.includes(`"${version}"`) && text.includes(plan);
  return { ...read(`rpc/session_drafts?session_id=${id}`), isHeld };
};
