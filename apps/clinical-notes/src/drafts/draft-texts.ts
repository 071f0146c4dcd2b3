// The texts of a draft, and whether its note contains them.

import type { SessionNote } from '@practice/contracts';
import { problemFor, type Seal } from '@practice/core';
import type { DraftKey, StoredDraft } from './draft-table.js';

export type DraftTexts = Pick<SessionNote, 'subjective' | 'objective' | 'assessment' | 'plan' | 'sections'>;

const textsOf = ({ subjective, objective, assessment, plan, sections }: DraftTexts): DraftTexts => ({
  ...{ subjective, objective, assessment, plan, sections },
});

type Version = DraftKey & Pick<StoredDraft, 'version'>;

/** The name of a seal. It opens only under the name of the same version of the same draft. */
const nameOf = ({ therapist_id, author_id, session_id, version }: Version): string =>
  `draft ${therapist_id} ${author_id} ${session_id} ${version}`;

export const sealTexts = (key: Seal, of: Version, texts: DraftTexts): string =>
  key.seal(Buffer.from(JSON.stringify(textsOf(texts))), nameOf(of));

/** Opens the texts of a draft. @returns undefined if the texts were erased */
export function openTexts(key: Seal | undefined, draft: StoredDraft): DraftTexts | undefined {
  const plain = key?.open(draft.sealed, nameOf(draft));
  return plain && (JSON.parse(plain.toString()) as DraftTexts);
}

/**
 * Whether no text is lost if the draft is deleted: the note has the same texts, or was saved later and has all of the draft's text.
 * @param isLater whether the note was saved after the draft
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

/** The problem for a draft that another device has saved in the meantime, or whose text would be lost. Details name the versions. */
export const draftChanged = (details: string) =>
  problemFor('PM006', {
    message: 'the draft has changed since the version that was sent',
    details,
    hint: 'Read rpc/session_drafts, merge both texts, and send the version of the draft.',
  });
