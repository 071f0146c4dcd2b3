import { catalog } from '@practice/contracts';
import type { Command, DependentCommand, PolicyChange, Resource, Row, Sent } from '@practice/resource';
import type { Decision, Resumable, PracticeView, Intent } from '@practice/write';
import { decideDependents, recordLoads, records } from '@practice/write';
import type { MirrorAnswer } from '@practice/mirror';
import type { AnyPolicy } from '../folding/projection-parts.js';

/**
 * Decides the reactions of these policies to one change, one policy after another. Each policy sees the results of the policies
 * before it, so several may act on the same record.
 * @returns the records that their owners must be asked about first; empty once all reactions are decided
 */
export function* react(
  view: PracticeView,
  decision: Decision,
  { change, policies }: { change: PolicyChange; policies: readonly AnyPolicy[] },
): Resumable<readonly MirrorAnswer[]> {
  const concerned = policies.flatMap((policy) => {
    const searched = policy.concerns(change);
    const resource = catalog.resources.get(policy.acts) as Resource;
    return searched === null ? [] : [{ policy, resource, lookup: { resource: policy.acts, ...searched } }];
  });
  yield* view.load(concerned.flatMap(({ resource, lookup }) => recordLoads(view, resource, lookup)));
  for (const { policy, resource, lookup } of concerned) {
    const stored = yield* records(view, resource, lookup);
    const unread = yield* decision.lookUpRows(policy.lookups?.(change) ?? []);
    if (unread.length > 0) return unread;
    yield* view.turn();
    const found = decision.decided.overlay(lookup, stored);
    const rows = found.map(({ row }) => row);
    const reactions = policy.react(change, rows, decision.lookupContext);
    const intents = intentsOf(reactions.filter(isOwn), found);
    const unknown = yield* decision.lookUp(resource, intents);
    if (unknown.length > 0) return unknown;
    const unsure = yield* decision.decide(resource, intents, policy.name);
    if (unsure.length > 0) return unsure;
    const dependents = reactions.filter((reaction) => !isOwn(reaction)) as DependentCommand[];
    const unsettled = yield* decideDependents(view, decision, { policy: policy.name, dependents });
    if (unsettled.length > 0) return unsettled;
  }
  return [];
}

const isOwn = (reaction: Sent<Command> | DependentCommand): boolean => !('resource' in reaction);

function intentsOf(
  reactions: readonly Sent<Command>[],
  records: readonly { readonly row: Row; readonly version: number }[],
): Intent[] {
  const byId = new Map(records.map((record) => [String(record.row['id']), record]));
  return reactions.flatMap(({ id, command }) => {
    const record = byId.get(id);
    return record === undefined ? [] : [{ id, command, state: record.row, version: record.version }];
  });
}
