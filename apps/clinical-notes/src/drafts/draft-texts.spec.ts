import { describe, expect, it } from '@jest/globals';
import { Seal } from '@practice/core';
import { isInNote, openTexts, sealTexts, type DraftTexts } from './draft-texts.js';

const texts = (given: Partial<DraftTexts>): DraftTexts => ({
  ...{ subjective: null, objective: null, assessment: null, plan: null, sections: null },
  ...given,
});

describe('a draft', () => {
  it('is in a note that was not saved later only if both have the same texts', () => {
    expect(isInNote(texts({ plan: 'rest' }), texts({ plan: 'rest' }), false)).toBe(true);
    expect(isInNote(texts({ plan: 'rest' }), texts({ plan: 'rest and walk' }), false)).toBe(false);
    expect(isInNote(texts({}), texts({ plan: 'rest' }), false)).toBe(false);
    expect(isInNote(texts({}), texts({ sections: { mood: 'calm' } }), false)).toBe(false);
    expect(isInNote(texts({ plan: '' }), texts({ plan: null }), false)).toBe(true);
  });

  it('is in a note that was saved later if the note has all of its text', () => {
    expect(isInNote(texts({ plan: 'rest' }), texts({ plan: 'rest and walk' }), true)).toBe(true);
    expect(isInNote(texts({ plan: 'rest' }), texts({ objective: 'rest' }), true)).toBe(false);
    expect(
      isInNote(texts({ sections: { mood: 'calm' } }), texts({ sections: { mood: 'calm now' } }), true),
    ).toBe(true);
    expect(isInNote(texts({ sections: { mood: 'calm' } }), texts({}), true)).toBe(false);
  });

  it('opens only for the version, note and author that it was sealed for', () => {
    const key = new Seal('0123456789abcdef0123456789abcdef', 'test');
    const of = { therapist_id: 'p', author_id: 'a', session_id: 's', version: 'v' };
    const sealed = sealTexts(key, of, texts({ plan: 'rest' }));
    expect(sealed).not.toContain('rest');
    const stored = { ...of, client_id: 'c', note_version: 1, saved_at: '', sealed };
    expect(openTexts(key, stored)).toEqual(texts({ plan: 'rest' }));
    expect(openTexts(key, { ...stored, version: 'w' })).toBeUndefined();
    expect(openTexts(key, { ...stored, author_id: 'b' })).toBeUndefined();
    expect(openTexts(undefined, stored)).toBeUndefined();
  });
});
