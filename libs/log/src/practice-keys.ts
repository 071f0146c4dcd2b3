// The keys of clients, by which their personal values are sealed in the log. They are made when they are first needed, in the
// transaction that needs them; the practice is locked then, so no other transaction makes the same key.

import { randomBytes } from 'node:crypto';
import { problemFor, processTime, reject, Seal, type Problem, type Steps } from '@practice/core';
import { LRUCache } from 'lru-cache';
import type { NewEvent } from './new-event.js';
import type { Keyring } from './key-encryption.js';
import { insertKeys, selectKeys, type PersonalKeyId, type SealedKey } from './personal-keys.js';
import { clientsIn } from './personal-values.js';
import type { Statement } from './statement.js';
import type { TextRow } from './text-query.js';

const KEY_BYTES = 32;
/** About 5 MB. */
const MAX_KEYS = 10_000;
const PURPOSE = 'practice personal values';

/** The keys that a group of writes needs. */
export interface PracticeKeys {
  /** Stores the keys that were made for the group. To run in its transaction. */
  readonly statements: readonly Statement[];
  /** Undefined for a client that was erased: values of this client are not stored. */
  of(id: PersonalKeyId): Seal | undefined;
}

interface EventsOfPractice {
  readonly therapistId: string;
  /**
   * The number of erasures in the practice, as read under its lock. Undefined if earlier work of the transaction may have made keys:
   * these are lost if it is rolled back.
   */
  readonly erasures: number | undefined;
  readonly events: readonly NewEvent[];
}

/** The problem of an event about an erased client: nothing new can be stored about this client. */
export const clientErased = (clientId: string): Problem =>
  problemFor('PM016', { details: `Nothing can be recorded about client ${clientId} any more.` });

const nameOf = ({ therapistId, clientId }: PersonalKeyId): string => `${therapistId} ${clientId}`;

/** The name under which a key is sealed. */
export const sealedKeyId = (service: string, id: PersonalKeyId): string => `${service} ${nameOf(id)}`;

/** The key of a client. @throws {Error} when the key-encryption key does not fit */
export function openKey(service: string, keyEncryption: Keyring, { sealedKey, ...id }: SealedKey): Seal {
  return new Seal(keyEncryption.open(sealedKey, sealedKeyId(service, id)).toString('base64url'), PURPOSE);
}

/** A new key of a client, sealed. */
export const makeKey = (service: string, keyEncryption: Keyring, id: PersonalKeyId): string =>
  keyEncryption.seal(randomBytes(KEY_BYTES), sealedKeyId(service, id));

/** The key of a client; null for a client that has none yet, undefined for one that was erased. */
type Known = Seal | null | undefined;

/** A key in memory. It may have been destroyed once the practice has another number of erasures. */
interface OpenedKey {
  readonly key: Seal;
  readonly erasures: number;
}

interface Wanted extends PersonalKeyId, Partial<Pick<EventsOfPractice, 'erasures'>> {
  /** Whether values must be sealed; otherwise it matters only whether the client was erased. */
  readonly needsKey: boolean;
}

export class PersonalKeys {
  /** Keys that are committed: the key of a transaction that is rolled back never existed. */
  private readonly opened = new LRUCache<string, OpenedKey>({ max: MAX_KEYS });

  constructor(
    private readonly service: string,
    private readonly keyEncryption: Keyring | undefined,
  ) {}

  /**
   * Returns the keys for all personal values of these events.
   * @param load runs a statement in the transaction; only called for keys that are not in memory
   * @throws {Rejection} PM016 when an event is about a client that was erased
   */
  async forEvents(
    practices: readonly EventsOfPractice[],
    load: (statement: Statement) => Promise<TextRow[][]>,
  ): Promise<PracticeKeys> {
    const keys = new Map<string, Known>();
    const missing: Wanted[] = [];
    const about: PersonalKeyId[] = [];
    for (const { therapistId, erasures, events } of practices) {
      const { sealing, named } = clientsIn(therapistId, events);
      for (const clientId of new Set([...sealing, ...named])) {
        const id = { therapistId, clientId };
        const known = this.opened.get(nameOf(id));
        if (known !== undefined && known.erasures === erasures) keys.set(nameOf(id), known.key);
        else missing.push({ ...id, needsKey: sealing.has(clientId), erasures });
      }
      for (const clientId of named) about.push({ therapistId, clientId });
    }
    const made = missing.length === 0 ? [] : await this.loadOrMake(missing, keys, load);
    for (const id of about) if (keys.get(nameOf(id)) === undefined) reject(clientErased(id.clientId));
    return {
      statements: made.length === 0 ? [] : [insertKeys(this.service, made)],
      of: (id) => {
        const key = keys.get(nameOf(id));
        if (key === null || !keys.has(nameOf(id)))
          throw new Error(`there is no key of client ${id.clientId}`);
        return key;
      },
    };
  }

  /**
   * The keys of clients for sealed values that are in no event. An erased client has no key.
   * @param make makes the keys that do not exist yet; the practice must be locked then
   * @returns the keys by client, and the statements that store the new ones
   */
  async forClients(
    {
      therapistId,
      clients,
      make = false,
    }: { therapistId: string; clients: readonly string[]; make?: boolean },
    load: (statement: Statement) => Promise<TextRow[]>,
  ): Promise<{ readonly keys: ReadonlyMap<string, Seal>; readonly statements: readonly Statement[] }> {
    const wanted = clients.map((clientId) => ({ therapistId, clientId, needsKey: make }));
    const found = new Map<string, Known>();
    const made = await this.loadOrMake(wanted, found, async (statement) => [await load(statement)]);
    const keys = new Map<string, Seal>();
    for (const id of wanted) {
      const key = found.get(nameOf(id));
      if (key != null) keys.set(id.clientId, key);
    }
    return { keys, statements: made.length === 0 ? [] : [insertKeys(this.service, made)] };
  }

  private async loadOrMake(
    wanted: readonly Wanted[],
    keys: Map<string, Known>,
    load: (statement: Statement) => Promise<TextRow[][]>,
  ): Promise<SealedKey[]> {
    const [rows = []] = await load(selectKeys(this.service, wanted));
    const stored = new Map(rows.map(([index, sealedKey]) => [Number(index) - 1, sealedKey]));
    // The time of all keys is counted for one practice: a group of several practices has few keys.
    const [{ therapistId } = { therapistId: '' }] = wanted;
    return processTime.run({ therapistId }, this.openOrMake(wanted, keys, stored));
  }

  /** A key takes about 50 µs, so each step is one key. */
  private *openOrMake(
    wanted: readonly Wanted[],
    keys: Map<string, Known>,
    stored: ReadonlyMap<number, string | null | undefined>,
  ): Steps<SealedKey[]> {
    const { service, keyEncryption } = this;
    if (keyEncryption === undefined) throw new Error(`${service} has no key-encryption key`);
    const made: SealedKey[] = [];
    for (const [index, { needsKey, erasures, ...id }] of wanted.entries()) {
      const found = stored.get(index);
      // A row without a key is a tombstone.
      if (found === null) keys.set(nameOf(id), undefined);
      else if (found === undefined && !needsKey) keys.set(nameOf(id), null);
      else {
        const sealedKey = found ?? makeKey(service, keyEncryption, id);
        const key = openKey(service, keyEncryption, { ...id, sealedKey });
        keys.set(nameOf(id), key);
        if (found === undefined) made.push({ ...id, sealedKey });
        else if (erasures !== undefined) this.opened.set(nameOf(id), { key, erasures });
      }
      yield;
    }
    return made;
  }
}
