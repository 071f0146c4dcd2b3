import { cosignNote } from '@practice/contracts';
import { changing } from '@practice/write';
import { printedName, signing } from '../sessions/signing.js';

export const CosignNote = changing(cosignNote, signing, (_, { caller, now }) => ({
  cosigned_at: now,
  cosigned_by_name: printedName(caller),
}));
