import type { Identity } from '@practice/core';
import type { FetchedRecords, MirrorAnswer, MirrorMatch } from '@practice/mirror';
import type { Row } from '@practice/resource';
import type { Deciders } from './deciders.js';
import type { ChangeMetadata } from './metadata.js';

export interface DecisionInput {
  readonly deciders: Deciders;
  /** The caller; absent if no caller has asked for the changes. */
  readonly by?: Identity;
  /** @param policy the name of the policy that decides, if one does */
  readonly metadata: (policy: string) => ChangeMetadata;
  /** Other services' records, as far as their owners were asked. */
  readonly fetched: FetchedRecords;
  /** Whether the service itself names the records, so that references are not checked. */
  readonly trustsReferences?: true;
}

/** The rows that owners have for some values, or the records that they must be asked about first. */
export type Answered =
  | { readonly kind: 'answered'; readonly rows: readonly Row[] }
  | { readonly kind: 'unknown records'; readonly entries: readonly MirrorAnswer[] };

export function answersTo(matches: readonly MirrorMatch[], fetched: FetchedRecords): Answered {
  const entries = matches.filter((match) => fetched.matching(match) === undefined);
  if (entries.length > 0) return { kind: 'unknown records', entries };
  return { kind: 'answered', rows: matches.flatMap((match) => fetched.matching(match) ?? []) };
}
