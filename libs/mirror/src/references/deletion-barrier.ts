// The owner's side of a deletion that other services must agree to. Their records may refer to the deleted record, and each service decides
// new references under its own lock. So each service answers once, under that lock, whether it refers to the record. If not, it stores the
// owner's mark and accepts no reference to the record until the owner says that the attempt was given up.

import { randomUUID } from 'node:crypto';
import { catalog } from '@practice/contracts';
import { reject, forRecord } from '@practice/core';
import { unavailable, type InPractice, type Requester } from '@practice/bus';
import type { Resource } from '@practice/resource';
import { referringServices, stillReferenced } from './check-references.js';
import { keyOf, type Deletion } from './deletion-marks.js';
import type { Caller } from './record-owners.js';

/** One unit of work's attempt to delete records. */
export class DeletionAttempt {
  /** The token of the marks that the attempt has stored; null before it stores any. A dry run stores no marks. */
  token: string | null = null;
  private readonly confirmed = new Set<string>();

  /** A token is never used again: other services may know that the attempt with it was given up. */
  renewToken(): string {
    this.confirmed.clear();
    this.token = randomUUID();
    return this.token;
  }

  confirm(deletions: readonly Deletion[]): void {
    for (const deletion of deletions) this.confirmed.add(keyOf(deletion));
  }

  isConfirmed(deletion: Deletion): boolean {
    return this.confirmed.has(keyOf(deletion));
  }
}

/** The question to a referring service. */
export interface DeletionQuestion {
  readonly deletions: readonly Deletion[];
  /** The token of the marks to store; null in a dry run. */
  readonly token: string | null;
}

/** The answer of that service: a relation and the id that it refers to, for some of the records; empty when the service agrees. */
export interface DeletionAnswer {
  readonly references: readonly { readonly relation: string; readonly id: string }[];
}

export class DeletionBarrier {
  constructor(private readonly requester: Requester) {}

  /**
   * Asks every service that may refer to these records, and confirms them when all agree.
   * @throws {Rejection} 23503 when a service refers to one of the records; 503 when a service is unavailable
   */
  async confirm(deletions: readonly Deletion[], attempt: DeletionAttempt, caller: Caller): Promise<void> {
    const { token } = attempt;
    const asked = [...this.questions(deletions)].map(([service, about]) =>
      this.ask(service, { deletions: about, token }, caller),
    );
    const references = (await Promise.all(asked)).flat();
    for (const relation of catalog.relations) {
      const found = references.find(({ relation: referring }) => referring === relation.name);
      if (found === undefined) continue;
      const index = deletions.findIndex(({ resource, id }) => resource === relation.to && id === found.id);
      forRecord(index, deletions.length, () => reject(stillReferenced(relation, found.id)));
    }
    attempt.confirm(deletions);
  }

  private questions(deletions: readonly Deletion[]): Map<string, Deletion[]> {
    const questions = new Map<string, Deletion[]>();
    for (const deletion of deletions) {
      const resource = catalog.resources.get(deletion.resource) as Resource;
      for (const service of referringServices(resource))
        questions.set(service, [...(questions.get(service) ?? []), deletion]);
    }
    return questions;
  }

  private async ask(
    service: string,
    question: DeletionQuestion,
    { therapistId, requestId, deadline }: Caller,
  ): Promise<DeletionAnswer['references']> {
    const envelope = { op: 'deletion', therapistId, requestId, deadline };
    const reply = await this.requester.request<InPractice>(service, envelope, JSON.stringify(question));
    if (reply.status !== 200) throw unavailable(service, 'is unavailable');
    return (JSON.parse(reply.body.toString()) as DeletionAnswer).references;
  }
}
