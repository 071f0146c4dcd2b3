// The changes that an undo takes back, and the services that execute a part of it.

import { problemFor, reject, type Problem } from '@practice/core';

/** The arguments of an undo that choose changes. */
interface Given {
  readonly change_id?: unknown;
  readonly change_ids?: unknown;
  readonly actor_id?: unknown;
  readonly actor_name?: unknown;
  readonly oauth_client_id?: unknown;
  readonly since?: unknown;
  readonly until?: unknown;
}

/** The changes that an undo takes back. */
export type ChosenChanges =
  | { readonly kind: 'changes'; readonly ids: readonly string[] }
  | {
      readonly kind: 'actor';
      readonly id: string | null;
      readonly name: string | null;
      /** The OAuth client through which users made the changes. */
      readonly oauthClientId: string | null;
      readonly since: string;
      readonly until: string | null;
    };

const MAX_IDS = 1_000;

/**
 * The changes that the arguments choose.
 * @throws {Rejection} 22023 unless exactly one kind of argument chooses the changes
 */
export function chosenChanges(given: Given): ChosenChanges {
  const { change_id: one, change_ids: several, actor_id: id, actor_name: name } = given;
  const actors = [id, name, given.oauth_client_id];
  const ways = [one, several, ...actors].filter((way) => way != null);
  if (ways.length !== 1) return reject(chooseOneWay);
  return actors.some((actor) => actor != null) ? byActor(given) : byIds(one == null ? several : [one], given);
}

function byActor(given: Given): ChosenChanges {
  const { actor_id: id, actor_name: name, oauth_client_id: client, since, until } = given;
  if (since == null) return reject(sinceWithActor);
  const [from, to] = [String(since), textOf(until)];
  const actor = { id: textOf(id), name: textOf(name), oauthClientId: textOf(client) };
  return { kind: 'actor', ...actor, since: from, until: to };
}

function byIds(ids: unknown, { since, until }: Given): ChosenChanges {
  if (since != null || until != null) return reject(sinceWithActor);
  if (!isListOfTexts(ids) || ids.length === 0 || ids.length > MAX_IDS) return reject(notIds);
  return { kind: 'changes', ids: [...new Set(ids)] };
}

const isListOfTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');

const textOf = (value: unknown): string | null => (value == null ? null : String(value));

const CHANGE_ID = /^([a-z]+(?:-[a-z]+)*):([1-9]\d{0,15})$/;

/** The service and the position that a change id names; null for a text that is no change id. */
export function readChangeId(id: string): { readonly service: string; readonly position: number } | null {
  const [, service, position] = CHANGE_ID.exec(id) ?? [];
  return service === undefined || position === undefined ? null : { service, position: Number(position) };
}

/**
 * The services that an undo concerns.
 * @param services the services with records whose changes can be undone
 * @param all every service
 * @throws {Rejection} 22023 for changes of several services; PM404 for a change of an unknown service; 0A000 if changes of the
 *   service cannot be undone
 */
export function concernedBy(
  given: Given,
  services: readonly string[],
  all: readonly string[],
): readonly string[] {
  const chosen = chosenChanges(given);
  if (chosen.kind === 'actor') return services;
  const named = new Set(
    chosen.ids.map((id) => readChangeId(id)?.service ?? reject(noSuchChange(id.slice(0, 100)))),
  );
  const [service = '', ...others] = named;
  if (others.length > 0) return reject({ ...severalServices, details: `${[...named].join(', ')}.` });
  if (services.includes(service)) return [service];
  return reject(all.includes(service) ? notUndoable(service) : noSuchChange(chosen.ids[0] ?? ''));
}

/** PM404: the practice does not have the change. */
export const noSuchChange = (id: string): Problem =>
  problemFor('PM404', {
    message: `there is no change ${id}`,
    hint: 'Change ids are in the Change-Id header of writes, and in change_id of <resource>_history.',
  });

/** 0A000: the changes cannot be undone, because the records have effects that an undo cannot take back. */
export const notUndoable = (what: string): Problem =>
  problemFor('0A000', {
    message: `changes of ${what} cannot be undone`,
    hint: 'Change the records themselves: they decide about access, sessions and mail, which an undo cannot take back.',
  });

const chooseOneWay: Problem = problemFor('22023', {
  message: 'an undo needs one of change_id, change_ids, actor_id, actor_name and oauth_client_id',
});

const sinceWithActor: Problem = problemFor('22023', {
  message: 'since is required with an actor, and since and until are for an actor only',
});

const notIds: Problem = problemFor('22023', {
  message: `change_id must be a text, and change_ids an array of 1 to ${MAX_IDS} texts`,
});

const severalServices: Problem = problemFor('22023', {
  message: 'the changes are of several services, which cannot be undone all or not at all',
  hint: 'Undo the changes of each service by themselves.',
});
