// The ledger of erasures: a file beside the key-encryption keys, outside of the database. A backup of the database that is restored has
// none of the erasures that came after it; the ledger has them.

import { constants } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { UUID } from '@practice/core';

/** An erasure in the service of the ledger. */
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

/** Appends to the file, and reads it. Several processes may append at the same time. */
export class ErasureLedger {
  /** @param path of the file; it is made with the first entry, readable only by its owner */
  constructor(private readonly path: string) {}

  /**
   * Adds an entry unless the ledger has it. It is on the disk when the promise is fulfilled. To be called before the erasure commits.
   * @throws {Error} when it cannot be written: then the erasure must not commit
   */
  async add(entry: LedgerEntry): Promise<void> {
    const { therapistId, client } = lowercase(entry);
    const known = await this.read();
    if (known.some((one) => one.therapistId === therapistId && one.client === client)) return;
    const line = `${therapistId} ${client} ${new Date().toISOString()}`;
    if (!LINE.test(line)) throw new Error(`no entry of a ledger: ${line}`);
    // The line end before it keeps it apart from a line that a crash has cut off. One write appends as a whole.
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

  /** @throws {Error} unless the file can be read and written, or made */
  async checkWritable(): Promise<void> {
    await (await open(this.path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT, 0o600)).close();
  }

  /**
   * Every erasure, once, in the order of the file. A line that a crash has cut off does not count: its erasure did not commit.
   * @throws {Error} for any other line that is no entry
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

/** Whether a line is the beginning of an entry. */
const isBeginning = (line: string): boolean =>
  SAMPLES.some((sample) => LINE.test(line + sample.slice(line.length)));

/** A new file is kept after a power failure only when its folder is on the disk too. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
