import { describe, it } from '@jest/globals';
import { sessions, type SessionNote } from '@practice/contracts';
import type { Command, EventOf } from '@practice/resource';
import { NOW, recordsOf, specOf } from '@practice/testing';
import { signing } from './signing.js';

type Sessions = typeof sessions;

const given = specOf(signing);

const [ada, author, supervisor] = [
  '018f0000-0000-7000-8000-0000000000c1',
  '018f0000-0000-7000-8000-0000000000e1',
  '018f0000-0000-7000-8000-0000000000e2',
];
const note = recordsOf(sessions, { client_id: ada, author_id: author, needs_cosign_by: supervisor });

const written: EventOf<Sessions> = { type: 'SessionNoteWritten', data: note() };
const signature = {
  status: 'signed',
  signed_at: NOW,
  signed_by_name: 'Ada',
  text_hash: 'a',
  sealed_hash: 'b',
} as const;
const signatureFor = (signed_meaning: NonNullable<SessionNote['signed_meaning']>) => ({
  ...signature,
  signed_meaning,
});
const signed: EventOf<Sessions> = { type: 'SessionNoteSigned', data: signatureFor('authorship') };
const cosignature = { cosigned_at: NOW, cosigned_by_name: 'Bo' };
const cosigned: EventOf<Sessions> = { type: 'SessionNoteCosigned', data: cosignature };
const void_ = { status: 'voided', voided_at: NOW, void_reason: 'wrong client' } as const;
const voided: EventOf<Sessions> = { type: 'SessionNoteVoided', data: void_ };

const change = (changes: object): Command<Sessions> => ({ kind: 'change', changes });

describe('a draft', () => {
  it('can be signed for authorship only by its author', () => {
    const sign = change(signatureFor('authorship'));
    given(written).by({ userId: author }).when(sign).then(signed);
    given(written)
      .by({ userId: supervisor })
      .when(sign)
      .thenRejects('42501', /Only the author/);
  });

  it('can be signed for review by others', () => {
    const data = signatureFor('review');
    given(written).by({ userId: supervisor }).when(change(data)).then({ type: 'SessionNoteSigned', data });
  });

  it('cannot be co-signed or voided', () => {
    given(written).by({ userId: supervisor }).when(change(cosignature)).thenRejects('PM001');
    given(written).by({ userId: author }).when(change(void_)).thenRejects('PM001');
  });
});

describe('a signed note', () => {
  it('cannot be signed again', () => {
    given(written, signed)
      .by({ userId: author })
      .when(change({ signed_at: NOW }))
      .thenRejects('PM020');
  });

  it('can be co-signed once, by the member that it names', () => {
    given(written, signed).by({ userId: supervisor }).when(change(cosignature)).then(cosigned);
    given(written, signed).by({ userId: author }).when(change(cosignature)).thenRejects('42501');
    given(written, signed, cosigned)
      .by({ userId: supervisor })
      .when(change(cosignature))
      .thenRejects('PM001');
  });

  it('cannot be co-signed by its author, even if it names the author', () => {
    const own: EventOf<Sessions> = {
      type: 'SessionNoteAmended',
      data: { needs_cosign_by: author },
    };
    given(written, own, signed)
      .by({ userId: author })
      .when(change(cosignature))
      .thenRejects('42501', 'The author of a note does not co-sign it.');
  });

  it('can be voided by its author and by owners', () => {
    given(written, signed).by({ userId: author, practiceRole: 'therapist' }).when(change(void_)).then(voided);
    given(written, signed).by({ userId: supervisor, practiceRole: 'owner' }).when(change(void_)).then(voided);
    given(written, signed)
      .by({ userId: supervisor, practiceRole: 'therapist' })
      .when(change(void_))
      .thenRejects('42501');
  });
});

describe('a voided note', () => {
  it('cannot be signed, co-signed or voided', () => {
    given(written, signed, voided)
      .by({ userId: author })
      .when(change({ signed_at: NOW }))
      .thenRejects('PM020');
    given(written, signed, voided).by({ userId: supervisor }).when(change(cosignature)).thenRejects('PM001');
    given(written, signed, voided)
      .by({ userId: author })
      .when(change({ voided_at: NOW }))
      .thenRejects('PM001');
  });
});
