import type { Deletion, DeletionAttempt, FetchedRecords, MirrorAnswer } from '@practice/mirror';

/** The replies of other services so far. */
export interface RemoteKnowledge {
  readonly fetched: FetchedRecords;
  readonly attempt: DeletionAttempt;
  /** Given if the write is one of several that are decided together: collects their deletions, which are confirmed together. */
  readonly collected?: Deletion[];
}

/** How an attempt ends: with its result, or with the records that other services must be asked about before the next attempt. */
export type AttemptResult<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'unknown records'; readonly entries: readonly MirrorAnswer[] }
  | { readonly kind: 'unconfirmed deletions'; readonly deletions: readonly Deletion[] }
  | { readonly kind: 'being deleted'; readonly deletions: readonly Deletion[] };
