import type { Invoice } from '@practice/contracts';
import { isZero } from '@practice/core';

/** Whether a finalized invoice is void or credited in full, so that it no longer bills or sells anything. */
export const isTakenBack = ({ status, total, amount_credited: credited }: Invoice): boolean =>
  status === 'void' || (credited === total && !isZero(credited));
