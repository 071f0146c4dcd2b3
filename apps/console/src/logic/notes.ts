// The texts of a session note, by its format.

import type { Tables } from '@practice/client-types';

export type Note = Tables<'sessions'>;
export type VersionedNote = Note & { readonly version: number };
export type Texts = Readonly<Record<string, string>>;

const columns = ['subjective', 'objective', 'assessment', 'plan'] as const;
/** The sections of formats that have no columns of their own. */
const sections: Readonly<Record<string, readonly string[]>> = {
  dap: ['data', 'assessment', 'plan'],
  birp: ['behavior', 'intervention', 'response', 'plan'],
  girp: ['goals', 'intervention', 'response', 'plan'],
  free: ['text'],
};

type Stored = Pick<Note, (typeof columns)[number] | 'sections'>;
const inSections = ({ sections: value }: Stored): Record<string, string> =>
  (value ?? {}) as Record<string, string>;

/** The names of the texts that a note has, in order. */
export function textNames(note: Pick<Note, 'format' | 'sections' | 'template_id'>): readonly string[] {
  const own = Object.keys((note.sections ?? {}) as object);
  if (note.template_id !== null) return own;
  if (note.format === 'soap') return columns;
  return [...new Set([...(sections[note.format] ?? []), ...own])];
}

/** The texts of a note or of its draft. */
export function textsOf(stored: Stored, names: readonly string[], isSoap: boolean): Texts {
  const source: Readonly<Record<string, string | null>> = isSoap
    ? Object.fromEntries(columns.map((name) => [name, stored[name]]))
    : inSections(stored);
  return Object.fromEntries(names.map((name) => [name, source[name] ?? '']));
}

/** The texts in the format of `save_draft` and PATCH. An empty text is null. */
export function storedOf(texts: Texts, isSoap: boolean): Partial<Stored> {
  const filled = Object.entries(texts).map(([name, text]) => [name, text.trim() ? text : null] as const);
  if (isSoap) return Object.fromEntries(filled) as Partial<Stored>;
  return { sections: Object.fromEntries(filled.filter(([, text]) => text !== null)) };
}

/** The state of the co-signature of a signed note: not needed, missing from the reader (`mine`) or another member, or done. */
export function cosignatureOf(
  { status, needs_cosign_by: by, cosigned_at: at }: Pick<Note, 'status' | 'needs_cosign_by' | 'cosigned_at'>,
  reader: string,
): 'none' | 'mine' | 'other' | 'done' {
  if (at !== null) return 'done';
  if (by === null || status !== 'signed') return 'none';
  return by === reader ? 'mine' : 'other';
}
