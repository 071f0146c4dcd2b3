// A closed practice is read-only until it is erased. The head of its log in each service has the time of the erasure, and every write locks
// the head. So this service accepts no write of a caller after the closing. Reactions of policies are still carried out.

import { problemFor, reject, type Problem } from '@practice/core';

/** @throws {Rejection} PM017 when the practice is closed */
export function requireOpen({ eraseAt }: { readonly eraseAt: string | null }): void {
  if (eraseAt !== null) reject(closed(eraseAt));
}

/** @param eraseAt in the canonical form of timestamps */
export const closed = (eraseAt: string): Problem =>
  problemFor('PM017', {
    details: `It will be erased at ${eraseAt}.`,
    hint: 'Until then, an owner can reopen it with rpc/reopen_practice.',
  });
