import { randomUUID } from 'node:crypto';
import { newId, type Identity } from '@practice/core';
import { securityEvents, type SecurityEventKind } from '@practice/contracts';
import { newRecord, type Row } from '@practice/resource';
import type { EffectOrigin, FollowingRecord, RecordTransaction, RecordTransactions } from '@practice/write';

/** A security event of one practice. */
export interface Noted {
  readonly therapistId: string;
  readonly kind: SecurityEventKind;
  /** The person whose access is concerned. */
  readonly userId: string | null;
  readonly membershipId?: string | undefined;
  /** The signed-in person who caused the event. */
  readonly by?: Pick<Identity, 'userId' | 'sessionId'>;
  readonly tokenId?: string | undefined;
  readonly address?: string | undefined;
  /** The reason, in the words of the person who caused the event. */
  readonly reason?: string | undefined;
}

/** Records an event with the commit of the transaction, which holds the lock of the practice. Returns the id of the event. */
export async function note(transaction: RecordTransaction, noted: Noted): Promise<string> {
  const record = recordOf(noted, transaction.now);
  await transaction.create(securityEvents, record);
  return String(record['id']);
}

/** Records an event in a transaction of its own. @param trace the call that has caused it, if there is one */
export const noteAlone = (
  records: RecordTransactions,
  noted: Noted,
  trace: { readonly requestId: string } = { requestId: randomUUID() },
): Promise<string> =>
  records.run({ therapistId: noted.therapistId, ...trace }, (transaction) => note(transaction, noted));

/** Records what a caller has done by a function, in the caller's practice. Returns the id of the event. */
export const noteCall = (
  transaction: RecordTransaction,
  kind: SecurityEventKind,
  { caller, ...noted }: { readonly caller: Identity } & Partial<Pick<Noted, 'userId' | 'tokenId' | 'reason'>>,
): Promise<string> => {
  const { therapistId, userId, address } = caller;
  return note(transaction, { therapistId, kind, userId, by: caller, address, ...noted });
};

/** The event of a caller's write, as a part of that write. */
export const following = (
  { by, now }: EffectOrigin,
  noted: Pick<Noted, 'kind' | 'userId' | 'membershipId' | 'tokenId'>,
): FollowingRecord => {
  const { therapistId, address, tokenId } = by;
  return { resource: securityEvents, record: recordOf({ tokenId, ...noted, therapistId, by, address }, now) };
};

const recordOf = (
  { therapistId, kind, userId, membershipId, by, tokenId, address, reason }: Noted,
  now: string,
): Row =>
  newRecord(
    securityEvents,
    {
      ...{ kind, user_id: userId, membership_id: membershipId ?? null, by_user_id: by?.userId ?? null },
      ...{ session_id: by?.sessionId ?? null, token_id: tokenId ?? null, address: address ?? null },
      reason: reason ?? null,
    },
    { therapistId, now, id: newId },
  );
