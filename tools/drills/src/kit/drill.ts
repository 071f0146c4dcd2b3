import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Means, Missing, openMeans } from '@practice/chaos';

export interface Drill {
  readonly name: string;
  readonly title: string;
  /** @throws {Missing} if this machine lacks a program */
  readonly run: (drilling: Drilling) => Promise<void>;
}

/** The means of a drill. Its folder is deleted at the end. */
export interface Drilling extends Means {
  /** Counts and prints a check. */
  readonly check: (title: string, isMet: boolean, found?: unknown) => void;
}

export type Outcome = { readonly passed: number; readonly failed: number } | { readonly skipped: string };

/** Runs a drill, and removes everything that it has started. */
export async function runDrill({ name, run }: Drill, say: (line: string) => void): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), `practice-drill-${name}-`));
  // Servers that do not run as root must reach their files in it.
  chmodSync(folder, 0o755);
  const { end: undoAll, ...means } = openMeans(folder, (line) => say(`  ${line}`));
  let ended: Promise<void> | undefined;
  const end = (): Promise<void> =>
    (ended ??= undoAll().then(() => rmSync(folder, { recursive: true, force: true })));
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
