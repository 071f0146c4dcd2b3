// The texts of a draft, and whether its note has them.

import type { SessionNote } from '@practice/contracts';
import { problemFor, type Seal } from '@practice/core';
import type { DraftKey, StoredDraft } from './draft-table.js';

export type DraftTexts = Pick<SessionNote, 'subjective' | 'objective' | 'assessment' | 'plan' | 'sections'>;

const textsOf = ({ subjective, objective, assessment, plan, sections }: DraftTexts): DraftTexts => ({
  ...{ subjective, objective, assessment, plan, sections },
});

type Version = DraftKey & Pick<StoredDraft, 'version'>;

/** A seal opens only as the same version of the same draft. */
const nameOf = ({ therapist_id, author_id, session_id, version }: Version): string =>
  `draft ${therapist_id} ${author_id} ${session_id} ${version}`;

export const sealTexts = (key: Seal, of: Version, texts: DraftTexts): string =>
  key.seal(Buffer.from(JSON.stringify(textsOf(texts))), nameOf(of));

/** @returns undefined when they were erased */
export function openTexts(key: Seal | undefined, draft: StoredDraft): DraftTexts | undefined {
  const plain = key?.open(draft.sealed, nameOf(draft));
  return plain && (JSON.parse(plain.toString()) as DraftTexts);
}

/**
 * Whether nothing of a draft would be lost with it: the note has the same texts, or was saved since and has all of the draft's text.
 * @param isLater whether the note was saved since the draft
 */
export function isInNote(draft: DraftTexts, note: DraftTexts, isLater: boolean): boolean {
  const contains = (one: unknown, other: unknown): boolean =>
    isLater ? String(one ?? '').includes(String(other ?? '')) : (one ?? '') === (other ?? '');
  const { sections: drafted, ...texts } = textsOf(draft);
  const names = Object.keys({ ...drafted, ...(isLater ? {} : note.sections) });
  return (
    Object.entries(texts).every(([name, text]) => contains(note[name as keyof typeof texts], text)) &&
    names.every((name) => contains(note.sections?.[name], drafted?.[name]))
  );
}

/** Another device has saved the draft since, or the draft has text that would be lost. Details name the versions. */
export const draftChanged = (details: string) =>
  problemFor('PM006', {
    message: 'the draft has changed since the version that was sent',
    details,
    hint: 'Read rpc/session_drafts, merge both texts, and send the version of the draft.',
  });
