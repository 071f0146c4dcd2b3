// Seals personal values where they enter the log. Their plain form is stored beside the log for reads.

import { SEALED, type Seal, type StoredValues } from '@practice/core';
import type { NewEvent, Personal } from './new-event.js';

/** The key of a client, or of a practice by its id; undefined for a client that was erased. */
export type KeyOf = (clientId: string) => Seal | undefined;

/**
 * Seals the personal values of an event. In the stored object each of them is null, and one more member has all of them sealed.
 * @returns `stored`: the values as the log stores them; `plain`: the personal values, undefined for an event without them
 */
export function sealedValues(
  event: Pick<NewEvent, 'type' | 'data' | 'previous' | 'metadata' | 'personal'>,
  values: StoredValues,
  { therapistId, keyOf }: { readonly therapistId: string; readonly keyOf: KeyOf | undefined },
) {
  const { personal, metadata } = event;
  const given = event[values];
  if (personal === undefined || given == null) return { stored: given };
  const plain = personalValues(given, personal);
  if (plain === undefined) return { stored: given };
  const client = personal.clients[values] ?? therapistId;
  if (keyOf === undefined) throw new Error(`${event.type} has personal values, and there is no key`);
  const blank = Object.fromEntries(Object.keys(plain).map((name) => [name, null]));
  const key = keyOf(client);
  // A value that the record had when it moved to a client who was erased since.
  if (key === undefined) return { stored: Object.assign({}, given, blank) };
  const sealed = key.seal(Buffer.from(JSON.stringify(plain)), sealedFor(metadata.eventId, values));
  return { stored: Object.assign({}, given, blank, { [SEALED]: `${client}.${sealed}` }), plain };
}

/** The name under which values are sealed: they can be opened only as part of the same event. */
const sealedFor = (eventId: string, values: StoredValues): string => `${eventId} ${values}`;

/** Personal values of an event, except the ones that are null; undefined for an event without them. */
function personalValues(values: object, { columns }: Personal): object | undefined {
  const all = values as Readonly<Record<string, unknown>>;
  const plain: Record<string, unknown> = {};
  let isEmpty = true;
  for (const name of columns) {
    if (all[name] == null) continue;
    plain[name] = all[name];
    isEmpty = false;
  }
  return isEmpty ? undefined : plain;
}

/** The clients whose personal values events have; the practice itself for values without a client. */
export function clientsIn(
  therapistId: string,
  events: readonly Pick<NewEvent, 'data' | 'previous' | 'personal'>[],
) {
  /** The clients whose keys are needed to store the events. */
  const sealing = new Set<string>();
  /** The clients about whom the events set a value, or say that the record is about this client. */
  const named = new Set<string>();
  for (const { data, previous, personal } of events) {
    if (personal === undefined) continue;
    const client = personal.clients.data ?? therapistId;
    const isSet = personalValues(data, personal) !== undefined;
    if (isSet) sealing.add(client);
    if (isSet || personal.isNaming === true) named.add(client);
    if (previous != null && personalValues(previous, personal) !== undefined)
      sealing.add(personal.clients.previous ?? therapistId);
  }
  return { sealing, named };
}

/** Sealed values, and the event that they are part of. */
interface SealedPart {
  readonly eventId: string;
  readonly values: StoredValues;
  readonly sealed: string;
}

/** Sealed values of an event, opened. @returns undefined when the key does not fit, or the values were changed */
export function openValues(key: Seal, { eventId, values, sealed }: SealedPart): object | undefined {
  const plain = key.open(sealed.slice(sealed.indexOf('.') + 1), sealedFor(eventId, values));
  return plain && (JSON.parse(plain.toString()) as object);
}

/** The client whose key opens sealed values. */
export const clientOfSealed = (sealed: string): string => sealed.slice(0, sealed.indexOf('.'));
