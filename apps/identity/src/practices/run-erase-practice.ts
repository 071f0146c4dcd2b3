// npm run log -- erase-practice THERAPIST_ID [--yes]: the operator erases a practice at once. The command sets the time of the erasure;
// the processes of the service do the work, as they do for closed practices.

import { createInterface } from 'node:readline/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { isUuidOfAnyCase } from '@practice/core';
import { withOpenClient } from '@practice/log';
import { readOwnerUrl } from '@practice/recovery';
import type { Client } from 'pg';
import { tablesOn } from '../store/database.js';
import { PracticeHead, PracticeRecord } from '../store/record.entities.js';

/** The exit codes of the command. */
const ERASED = 0;
const NOT_ERASED = 1;
const COULD_NOT = 2;

const WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 500;

const USAGE = 'Usage: npm run log -- erase-practice THERAPIST_ID [--yes]';

/** Runs the command, and sets the exit code: 0 (erased), 1 (an unknown practice, or not confirmed) or 2 (could not). */
export async function erasePractice(args: readonly string[]): Promise<void> {
  process.exitCode = await erased(args).catch((error: unknown) => {
    process.stderr.write(`the practice could not be erased: ${(error as Error).message}\n`);
    return COULD_NOT;
  });
}

async function erased(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { yes: { type: 'boolean', default: false } },
  });
  const [id = '', ...others] = positionals;
  if (!isUuidOfAnyCase(id) || others.length > 0) throw new Error(USAGE);
  const config = { connectionString: readOwnerUrl(), application_name: 'identity erase-practice' };
  return withOpenClient(config, (client) => erase(client, id, values.yes));
}

async function erase(client: Client, id: string, isConfirmed: boolean): Promise<number> {
  const practice = await practiceBy(client, id);
  if (practice === null) return says(NOT_ERASED, `there is no practice ${id}`);
  if (practice.erasedAt !== null) return says(ERASED, `practice ${id} was erased before`);
  if (!isConfirmed && !(await isTyped(practice.name))) return says(NOT_ERASED, 'nothing was erased');
  await tablesOn(client).update(PracticeHead, { therapistId: id }, { eraseAt: () => 'now()' });
  const end = Date.now() + WITHIN_MS;
  while (Date.now() < end) {
    if ((await practiceBy(client, id))?.erasedAt != null) return says(ERASED, `practice ${id} is erased`);
    await pause(LOOK_EVERY_MS);
  }
  return says(COULD_NOT, `practice ${id} is not erased yet: the service erases it as soon as it runs`);
}

const practiceBy = (client: Client, id: string): Promise<PracticeRecord | null> =>
  tablesOn(client).findOneBy(PracticeRecord, { id });

/** Asks on a terminal for the name of the practice. @throws {Error} without a terminal */
async function isTyped(name: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw new Error(`without a terminal, it needs --yes\n${USAGE}`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const typed = await terminal.question(
      `The practice "${name}" and the accounts that belong to no other practice are erased for good. Type its name: `,
    );
    return typed === name;
  } finally {
    terminal.close();
  }
}

function says(code: number, line: string): number {
  (code === ERASED ? process.stdout : process.stderr).write(`${line}\n`);
  return code;
}
