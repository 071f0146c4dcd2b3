import { sessionAddenda, sessions, verifyNote, type SessionNote } from '@practice/contracts';
import { reject } from '@practice/core';
import { asSystem } from '@practice/log';
import { readStored, selectStored, VerifyLog } from '@practice/recovery';
import type { StoredEvent, StoredRecord } from '@practice/recovery';
import type { ArgumentsOf, Resource, ResultOf, Row } from '@practice/resource';
import { TenantDatabase } from '@practice/storage';
import { Handles, unknownRecord, type FunctionCall, type FunctionHandler } from '@practice/write';
import { addendumColumns, sealedHash, signedColumns, textHash } from '../sessions/canonical.js';
import { notSigned } from '../sessions/signing.js';

type Result = ResultOf<typeof verifyNote>;

/** Compares a signed note and its addenda with the log, and the log with its hashes. */
@Handles(verifyNote)
export class VerifyNote implements FunctionHandler<typeof verifyNote> {
  constructor(
    private readonly database: TenantDatabase,
    private readonly log: VerifyLog,
  ) {}

  /** @throws {Rejection} PM404 for an unknown note, PM001 for a note that is not signed */
  async call({ session_id: id }: ArgumentsOf<typeof verifyNote>, call: FunctionCall): Promise<Result> {
    const [note] = await this.stored(sessions, { column: 'id', value: id }, call);
    const [first] = note?.events ?? [];
    if (note?.folded == null || first === undefined) return reject(unknownRecord(sessions, id));
    const signed = note.folded as SessionNote;
    if (signed.status === 'draft') reject(notSigned(signed));
    const addenda = await this.stored(sessionAddenda, { column: 'session_id', value: id }, call);
    const all = [note, ...addenda];
    const erased = all.some(({ events }) => events.some((event) => event.erased));
    const checks = {
      text_intact: erased
        ? null
        : isText(note, signedColumns) && addenda.every((one) => isText(one, addendumColumns)),
      sealed_intact: sealedHash(sealedBefore(note.events)) === signed.sealed_hash,
      record_intact: all.every(({ isSame, folded }) => isSame && folded !== null),
      chain_intact: await this.isChained(first.position, call),
    };
    const { signed_at, signed_by_name, signed_meaning, text_hash } = signed;
    const signature = { signed_at, signed_by_name, signed_meaning, text_hash };
    return { id, ...checks, intact: allOf(checks), erased, ...signature };
  }

  private async stored(
    resource: Resource,
    where: { readonly column: string; readonly value: string },
    { caller: { therapistId }, deadline }: FunctionCall,
  ): Promise<StoredRecord[]> {
    const statement = selectStored(resource, { therapistId, ...where });
    return readStored(
      resource,
      await this.database.reads.run(asSystem(therapistId), statement, { deadline }),
    );
  }

  /** Whether the log is intact from a position to its end; null if it is too long to check. */
  private async isChained(first: number, call: FunctionCall): Promise<boolean | null> {
    const all = { service: null, after: first - 1, upto: null };
    const [checked] = await this.log.call(all, call);
    return checked?.intact ?? null;
  }
}

const isText = ({ folded }: StoredRecord, columns: readonly string[]): boolean =>
  folded !== null && textHash(folded as Row, columns) === folded['text_hash'];

/** The sealed texts of the events before the signature. */
function sealedBefore(events: readonly StoredEvent[]): (string | null)[] {
  const signature = events.findIndex(({ type }) => type === 'SessionNoteSigned');
  return events.slice(0, signature).map(({ sealed }) => sealed);
}

/** False if a check failed; else null if a result is unknown; else true. After an erasure, there is no text to check. */
function allOf({
  text_intact: text,
  ...others
}: Pick<Result, 'text_intact' | 'sealed_intact' | 'record_intact' | 'chain_intact'>): boolean | null {
  const checks = [text ?? true, ...Object.values(others)];
  return checks.includes(false) ? false : checks.includes(null) ? null : true;
}
