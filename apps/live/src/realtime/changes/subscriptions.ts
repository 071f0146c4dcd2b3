// The subscriptions of one channel to changes.

import { permits } from '@practice/contracts';
import type { Identity } from '@practice/core';
import type { Resource } from '@practice/resource';
import { SubscriptionError } from './filter.js';
import { dataOf, isHeard, isWanted, readSubscription } from './subscription.js';
import type { RecordChange, Subscription } from './subscription.js';

/** A subscription as the client sent it, with its number on the socket. */
export interface AskedSubscription {
  readonly id: number;
  readonly given: Readonly<Record<string, unknown>>;
}

export class ChangeSubscriptions {
  private readonly read = new Map<number, Subscription>();
  /** Why subscriptions were refused. */
  readonly refusals: string[] = [];

  constructor(
    asked: readonly AskedSubscription[],
    private readonly identity: Identity,
  ) {
    for (const { id, given } of asked) this.add(id, given);
  }

  get isEmpty(): boolean {
    return this.read.size === 0;
  }

  /** Whether a subscription is about a resource that the role and the token may read. */
  hears(resource: Resource): boolean {
    const { practiceRole, scopes } = this.identity;
    if (!isHeard(resource, practiceRole)) return false;
    if (scopes !== undefined && !permits(scopes, resource.name, 'read')) return false;
    return [...this.read.values()].some(({ table }) => table === null || table === resource.name);
  }

  /**
   * The payloads of the messages about a change: one for each selection of columns, with the numbers of its subscriptions and the `data`
   * of the message as JSON.
   */
  *messages(change: RecordChange) {
    const role = this.identity.practiceRole;
    if (!this.hears(change.resource)) return [];
    const idsBySelect = new Map<string, { readonly ids: number[]; readonly data: string }>();
    for (const [id, subscription] of this.read) {
      if (!(yield* isWanted(subscription, change, role))) continue;
      const key = JSON.stringify(subscription.select);
      const found = idsBySelect.get(key) ?? { ids: [], data: dataOf(change, subscription, role) };
      found.ids.push(id);
      idsBySelect.set(key, found);
      yield;
    }
    return [...idsBySelect.values()];
  }

  private add(id: number, given: AskedSubscription['given']): void {
    try {
      this.read.set(id, readSubscription(given, this.identity.practiceRole));
    } catch (error) {
      if (!(error instanceof SubscriptionError)) throw error;
      this.refusals.push(error.message);
    }
  }
}
