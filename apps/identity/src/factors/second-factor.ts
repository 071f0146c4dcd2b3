import type { EntityManager } from 'typeorm';
import { insufficientAal, refuse, sessionGone } from '../calls/problems.js';
import { openSession } from '../sessions/proven.js';

/**
 * Requires that the session has passed a second factor.
 * @throws {Rejection} 403 `insufficient_aal`
 */
export async function requireSecondFactor(
  tables: EntityManager,
  { userId, sessionId }: { readonly userId: string; readonly sessionId?: string | undefined },
): Promise<void> {
  if (sessionId === undefined) return refuse(sessionGone);
  const session = (await openSession(tables, { userId, sessionId })) ?? refuse(sessionGone);
  if (session.secondFactor === undefined) refuse(insufficientAal);
}
