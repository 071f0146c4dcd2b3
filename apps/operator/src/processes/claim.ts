// Allows one supervisor per data folder. Programs that a killed supervisor left running are ended first.
import { linkSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../common/failure.js';
import { writePrivately } from '../common/private-file.js';
import { until } from '../common/until.js';
import { identify, isAlive, type ProcessIdentity } from './identity.js';

interface Claimed {
  readonly supervisor: ProcessIdentity;
  readonly children: readonly ProcessIdentity[];
}

const ENDS_WITHIN = 15_000;

const fileIn = (dataDir: string): string => join(dataDir, 'supervisor.json');

/**
 * Claims a data folder for this process.
 * @throws {Failure} when another supervisor runs on it
 */
export async function claim(dataDir: string) {
  const file = fileIn(dataDir);
  const supervisor = identify(process.pid) ?? { pid: process.pid, began: '' };
  await takeOver(file, { supervisor, children: [] });
  return {
    /** Notes the programs that run now, so that the next start can end them if this process is killed. */
    note: (pids: readonly number[]): void => {
      const children = pids.flatMap((pid) => identify(pid) ?? []);
      writePrivately(file, JSON.stringify({ supervisor, children } satisfies Claimed));
    },
    // Another start may have taken the folder over.
    release: (): void => {
      if (isSame(read(file)?.supervisor, supervisor)) rmSync(file, { force: true });
    },
  };
}

/** Whether the process with this id is a program that the supervisor of the folder started, not a later process with the same id. */
export const isClaimed = (dataDir: string, pid: number): boolean =>
  read(fileIn(dataDir))?.children.some((child) => child.pid === pid && isAlive(child)) ?? false;

async function takeOver(file: string, mine: Claimed): Promise<void> {
  if (created(file, JSON.stringify(mine))) return;
  const children = readLeftover(file)?.children ?? [];
  await Promise.all(children.map(endLeftover));
  await replaceLeftover(file, mine);
}

/** Creates a file in one step with its content. If several starts do this at the same moment, only one of them succeeds. */
function created(file: string, content: string): boolean {
  const beside = `${file}.${process.pid}.new`;
  writePrivately(beside, content);
  try {
    linkSync(beside, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  } finally {
    rmSync(beside);
  }
}

/**
 * Replaces the claim of a supervisor that has ended. Only the start that has claimed the turn may do this, and the file is never missing
 * meanwhile: otherwise another start could create a claim that is then overwritten.
 */
async function replaceLeftover(file: string, mine: Claimed): Promise<void> {
  const turn = `${file}.turn`;
  await takeOver(turn, mine);
  try {
    if (readLeftover(file)) return writePrivately(file, JSON.stringify(mine));
  } finally {
    rmSync(turn);
  }
  await takeOver(file, mine);
}

/** The claim of a supervisor that has ended; undefined if there is no claim. @throws {Failure} if the supervisor runs */
function readLeftover(file: string): Claimed | undefined {
  const claimed = read(file);
  if (claimed && isAlive(claimed.supervisor)) throw alreadyRuns(claimed.supervisor);
  return claimed;
}

const alreadyRuns = ({ pid }: ProcessIdentity): Failure =>
  new Failure(
    `A system already runs on this data folder (process ${pid}). Stop it first, or choose another DATA_DIR and PORT.`,
  );

const isSame = (one: ProcessIdentity | undefined, other: ProcessIdentity): boolean =>
  one?.pid === other.pid && one.began === other.began;

function read(file: string): Claimed | undefined {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as Claimed | null) ?? HALF;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    if (error instanceof SyntaxError) return HALF;
    throw error;
  }
}

/** A power failure can leave half a file. Its processes are gone as well. */
const HALF: Claimed = { supervisor: { pid: 0, began: '' }, children: [] };

async function endLeftover(leftover: ProcessIdentity): Promise<void> {
  if (!isAlive(leftover)) return;
  signal(leftover.pid, 'SIGINT');
  const ended = await until(() => !isAlive(leftover), { within: ENDS_WITHIN, every: 50 });
  if (!ended) signal(leftover.pid, 'SIGKILL');
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has just ended.
  }
}
