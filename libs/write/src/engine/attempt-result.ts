import type { Deletion, DeletionAttempt, FetchedRecords, MirrorAnswer } from '@practice/mirror';

/** The replies of other services so far. */
export interface RemoteKnowledge {
  readonly fetched: FetchedRecords;
  readonly attempt: DeletionAttempt;
  /** Given for one write of several that are decided together: takes the deletions, which are confirmed together with the deletions of the others. */
  readonly collected?: Deletion[];
}

/** How an attempt ends: with its result, or with what other services have to be asked before the next attempt. */
export type AttemptResult<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'unknown records'; readonly entries: readonly MirrorAnswer[] }
  | { readonly kind: 'unconfirmed deletions'; readonly deletions: readonly Deletion[] }
  | { readonly kind: 'being deleted'; readonly deletions: readonly Deletion[] };
