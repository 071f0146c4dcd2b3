// The rules of the aggregate `webhook`.

import { eventTypes, type Webhook, webhooks, webhookStatuses } from '@practice/contracts';
import { type Problem, problemFor, reject } from '@practice/core';
import { type AddressPolicy, urlProblem } from '@practice/outbound';
import { changedEvents, lookup, deciding } from '@practice/resource';
import type { Changes, Decider, EventOf, LookupContext } from '@practice/resource';

type Webhooks = typeof webhooks;

const MAX_WEBHOOKS = 10;

/** The rules for commands of callers. @param policy the addresses that a URL may name */
export const webhookRules = (policy: AddressPolicy): Decider<Webhooks> => ({
  definition: webhooks,
  lookups: ({ kind }) => (kind === 'create' ? [lookup(webhooks, 'status', webhookStatuses)] : []),
  decide(command, state, context) {
    switch (command.kind) {
      case 'create':
        return created(command.record, policy, context);
      case 'change':
        return changed(state as Webhook, command.changes, policy);
      case 'delete':
        return [{ type: 'WebhookDeleted', data: {} }];
    }
  },
});

/** The rules for a webhook whose deliveries have failed too often. */
export const failing = deciding(webhooks, {
  changed: (_, state) =>
    state?.status === 'active' ? [{ type: 'WebhookFailing', data: { status: 'failing' as const } }] : [],
});

/** The rules for `rpc/rotate_webhook_secret`, which replaces the secret. */
export const rotating = deciding(webhooks, {
  changed: ({ secret_rotated_at }) =>
    secret_rotated_at === undefined ? [] : [{ type: 'WebhookSecretRotated', data: { secret_rotated_at } }],
});

function created(record: Webhook, policy: AddressPolicy, context: LookupContext): EventOf<Webhooks>[] {
  checkUrl(record.url, policy);
  checkTypes(record.event_types);
  if (record.status === 'failing') reject(notPossible(undefined));
  const others = webhookStatuses.flatMap((status) => context.rows(webhooks, 'status', status));
  if (others.length >= MAX_WEBHOOKS) reject(tooMany);
  return [{ type: 'WebhookCreated', data: { ...record, secret_rotated_at: null } }];
}

function changed(state: Webhook, changes: Changes<Webhooks>, policy: AddressPolicy): EventOf<Webhooks>[] {
  const { status, url, event_types } = changes;
  if (url !== undefined) checkUrl(url, policy);
  checkTypes(event_types);
  if (status === 'failing') reject(notPossible(state.status));
  return changedEvents(webhooks, changes, {
    status: (next) => (next === 'paused' ? 'WebhookPaused' : 'WebhookActivated'),
  });
}

function checkUrl(url: string, policy: AddressPolicy): void {
  const problem = urlProblem(url, policy);
  if (problem !== undefined) reject(refusedUrl(problem));
}

const known = new Set<string>(eventTypes.map(({ type }) => type));

function checkTypes(types: readonly string[] | null | undefined): void {
  if (types == null) return;
  if (types.length === 0 || types.length > known.size)
    reject(badTypes('Name at least one, or omit the column.'));
  const odd = types.find((type) => !known.has(type));
  if (odd !== undefined) reject(badTypes(`${odd.slice(0, 100)} is no type of events.`));
}

const refusedUrl = (problem: string): Problem =>
  problemFor('PM010', { details: `It is refused because ${problem}.` });

const badTypes = (details: string): Problem =>
  problemFor('22023', {
    message: 'invalid value for column "event_types"',
    details,
    hint: 'docs/resources.md lists the types.',
  });

const notPossible = (from: string | undefined): Problem =>
  problemFor('PM001', {
    message: `a webhook cannot ${from === undefined ? 'begin as' : `change from ${from} to`} failing`,
    details: 'The server sets this status.',
  });

const tooMany: Problem = problemFor('PM012', {
  message: `a practice can have at most ${MAX_WEBHOOKS} webhooks`,
});
