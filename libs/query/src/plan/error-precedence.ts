// The order in which problems are reported. PostgREST first checks its schema cache (relations), then the rest of the request
// (media type, preferences, body), and only then does Postgres look at columns, types and operators.

import { reject, type Problem } from '@practice/core';

/**
 * Problems that only the database would find. Planning notes them and continues with a placeholder, so that every problem of an
 * earlier rank is reported first.
 */
export class DatabaseProblems {
  private first: Problem | null = null;

  /** Keeps a problem; only the first one is ever reported. */
  note(problem: Problem): void {
    this.first ??= problem;
  }

  /**
   * Reports the first noted problem. Call it after everything of an earlier rank has been checked.
   * @throws {Rejection}
   */
  report(): void {
    if (this.first !== null) reject(this.first);
  }
}
