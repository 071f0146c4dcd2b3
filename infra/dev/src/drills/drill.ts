import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Drill {
  readonly name: string;
  readonly title: string;
  /** @throws {Missing} if this machine lacks a program */
  readonly run: (drilling: Drilling) => Promise<void>;
}

/** The means of a drill. */
export interface Drilling {
  /** An own folder, which is deleted at the end. */
  readonly folder: string;
  /** Counts and prints a check. */
  readonly check: (title: string, isMet: boolean, found?: unknown) => void;
  /** Prints something that was measured or happened. */
  readonly note: (line: string) => void;
  /** Is done at the end, in reverse order, however the drill ends. */
  readonly atEnd: (undo: () => Promise<unknown>) => void;
}

/** This machine lacks a program that a drill needs. */
export class Missing extends Error {}

export type Outcome = { readonly passed: number; readonly failed: number } | { readonly skipped: string };

/** Runs a drill, and takes away what it has started. */
export async function runDrill({ name, run }: Drill, say: (line: string) => void): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), `practice-drill-${name}-`));
  // Servers that do not run as root must reach what is theirs in it.
  chmodSync(folder, 0o755);
  const undos: (() => Promise<unknown>)[] = [];
  const end = once(async () => {
    for (const undo of undos.reverse()) await undo().catch(() => undefined);
    rmSync(folder, { recursive: true, force: true });
  });
  const interrupted = (): void => void end().then(() => process.exit(1));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupted);
  const outcome = { passed: 0, failed: 0 };
  const check: Drilling['check'] = (title, isMet, found) => {
    outcome[isMet ? 'passed' : 'failed'] += 1;
    say(isMet ? `  passed: ${title}` : `  FAILED: ${title} (found ${JSON.stringify(found)})`);
  };
  try {
    await run({
      folder,
      check,
      note: (line) => say(`  ${line}`),
      atEnd: (undo) => void undos.push(undo),
    });
    return outcome;
  } catch (error) {
    if (error instanceof Missing) return { skipped: error.message };
    throw error;
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupted);
    await end();
  }
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined;
  return () => (done ??= work());
}
