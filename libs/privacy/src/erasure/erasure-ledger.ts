// The ledger of erasures: a file beside the key-encryption keys, outside the database. When a backup of the database is restored, the
// database lacks the erasures that came after the backup, but the ledger still has them.

import { constants } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { UUID } from '@practice/core';

/** An erasure in the service that the ledger belongs to. */
export interface LedgerEntry {
  readonly therapistId: string;
  /** The id of a client, or `all` for the whole practice. */
  readonly client: string;
}

const TIME = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`;
const LINE = new RegExp(`^(${UUID}) (${UUID}|all) ${TIME}$`);
const ID = '00000000-0000-0000-0000-000000000000';
const NOW = '2000-01-01T00:00:00.000Z';
const SAMPLES = [`${ID} ${ID} ${NOW}`, `${ID} all ${NOW}`];

/** Appends to the ledger's file and reads it. Several processes may append at the same time. */
export class ErasureLedger {
  /** @param path the path of the file; it is created with the first entry, and only its owner can read it */
  constructor(private readonly path: string) {}

  /**
   * Adds an entry unless the ledger has it. It is on the disk when the promise is fulfilled. Call it before the erasure commits.
   * @throws {Error} when the entry cannot be written; the erasure must not commit then
   */
  async add(entry: LedgerEntry): Promise<void> {
    const { therapistId, client } = lowercase(entry);
    const known = await this.read();
    if (known.some((one) => one.therapistId === therapistId && one.client === client)) return;
    const line = `${therapistId} ${client} ${new Date().toISOString()}`;
    if (!LINE.test(line)) throw new Error(`no entry of a ledger: ${line}`);
    // The line break before the entry separates it from a line that a crash has cut off. A single write is appended as a whole.
    const text = Buffer.from(`\n${line}\n`);
    const file = await open(this.path, 'a', 0o600);
    try {
      const { bytesWritten } = await file.write(text);
      if (bytesWritten !== text.length) throw new Error(`${this.path} was not written as a whole`);
      await file.sync();
    } finally {
      await file.close();
    }
    await syncFolder(dirname(this.path));
  }

  /** Creates the file if it does not exist. @throws {Error} when the file cannot be read, written or created */
  async checkWritable(): Promise<void> {
    await (await open(this.path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT, 0o600)).close();
  }

  /**
   * All erasures in the order of the file, each once. A line that a crash has cut off is ignored, since its erasure did not commit.
   * @throws {Error} for any other line that is not an entry
   */
  async read(): Promise<readonly LedgerEntry[]> {
    const entries = new Map<string, LedgerEntry>();
    for (const [index, line] of (await this.text()).split('\n').entries()) {
      const [, therapistId, client] = LINE.exec(line) ?? [];
      if (therapistId !== undefined && client !== undefined)
        entries.set(`${therapistId} ${client}`, { therapistId, client });
      else if (!isBeginning(line)) throw new Error(`${this.path}, line ${index + 1}: no entry of a ledger`);
    }
    return [...entries.values()];
  }

  private async text(): Promise<string> {
    try {
      return await readFile(this.path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
      throw error;
    }
  }
}

const lowercase = ({ therapistId, client }: LedgerEntry): LedgerEntry => ({
  therapistId: therapistId.toLowerCase(),
  client: client.toLowerCase(),
});

/** Whether a line is empty or the beginning of an entry. */
const isBeginning = (line: string): boolean =>
  SAMPLES.some((sample) => LINE.test(line + sample.slice(line.length)));

/** Writes a folder to the disk. Without this, a new file in it may be lost in a power failure. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
