import type { Identity } from '@practice/core';
import type { FetchedRecords } from '@practice/mirror';
import type { Catalog } from '@practice/resource';
import type { Deciders } from './deciders.js';
import type { ChangeMetadata } from './metadata.js';

export interface DecisionInput {
  readonly catalog: Catalog;
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
