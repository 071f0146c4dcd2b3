// Who signs: a person whom a stolen access token cannot replace.

import type { Identity } from '@practice/core';
import type { RecentSignIns } from '@practice/write';

type Proof = Parameters<RecentSignIns['require']>[1];

/** @throws {Rejection} 403 `reauthentication_needed` without a second factor, a recent sign-in or the password */
export async function requireSigner(signIns: RecentSignIns, caller: Identity, proof: Proof): Promise<void> {
  if (caller.aal !== 'aal2') await signIns.require(caller, proof);
}
