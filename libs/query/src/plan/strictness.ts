import { reject } from '@practice/core';
import type { Preferences } from '../parse/preferences.js';

/** @throws {Rejection} PGRST122 for an unknown preference with `handling=strict` */
export function checkStrictness({ handling, unknown }: Preferences): void {
  if (handling !== 'strict' || unknown.length === 0) return;
  reject('PGRST122', {
    message: 'Invalid preferences given with handling=strict',
    details: `Invalid preferences: ${unknown.join(', ').slice(0, 300)}`,
  });
}
