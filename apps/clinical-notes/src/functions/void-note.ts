import { voidNote } from '@practice/contracts';
import { changing } from '@practice/write';
import { signing } from '../sessions/signing.js';

export const VoidNote = changing(voidNote, signing, ({ reason }, { now }) => ({
  ...({ status: 'voided', voided_at: now, void_reason: reason } as const),
}));
