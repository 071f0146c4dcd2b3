import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failure } from '@practice/operator';

export interface Drill {
  readonly name: string;
  readonly title: string;
  /** @throws {Missing} if this machine lacks a program */
  readonly run: (drilling: Drilling) => Promise<void>;
}

/** The parts that servers beside the product need. */
export interface Means {
  /** An own folder. */
  readonly folder: string;
  /** Prints something that was measured or happened. */
  readonly note: (line: string) => void;
  /** Is done at the end, in reverse order, however it ends. */
  readonly atEnd: (undo: () => Promise<unknown>) => void;
}

/** The means of a drill. Its folder is deleted at the end. */
export interface Drilling extends Means {
  /** Counts and prints a check. */
  readonly check: (title: string, isMet: boolean, found?: unknown) => void;
}

/** This machine lacks a program that a drill needs. */
export class Missing extends Failure {}

export type Outcome = { readonly passed: number; readonly failed: number } | { readonly skipped: string };

/** Runs a drill, and takes away what it has started. */
export async function runDrill({ name, run }: Drill, say: (line: string) => void): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), `practice-drill-${name}-`));
  // Servers that do not run as root must reach what is theirs in it.
  chmodSync(folder, 0o755);
  const { end: undoAll, ...means } = openMeans(folder, (line) => say(`  ${line}`));
  const end = once(async () => {
    await undoAll();
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
    await run({ ...means, check });
    return outcome;
  } catch (error) {
    if (error instanceof Missing) return { skipped: error.message };
    throw error;
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupted);
    await end();
  }
}

/** Means in a folder that exists. @returns also `end`, which undoes everything; an undo that fails stops no other */
export function openMeans(
  folder: string,
  note: Means['note'],
): Means & { readonly end: () => Promise<void> } {
  const undos: (() => Promise<unknown>)[] = [];
  return {
    folder,
    note,
    atEnd: (undo) => void undos.push(undo),
    end: async () => {
      for (const undo of undos.splice(0).reverse()) await undo().catch(() => undefined);
    },
  };
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined;
  return () => (done ??= work());
}
