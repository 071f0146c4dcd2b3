import { randomUUID } from 'node:crypto';
import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ErasureLedger, type LedgerEntry } from './erasure-ledger.js';

let folder: string;
let path: string;
let ledger: ErasureLedger;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'practice-ledger-'));
  path = join(folder, 'clients.erasures');
  ledger = new ErasureLedger(path);
});
afterEach(() => rmSync(folder, { recursive: true }));

const entry = (client: string = randomUUID()): LedgerEntry => ({ therapistId: randomUUID(), client });

describe('a ledger of erasures', () => {
  it('is empty without a file, and creates a file that only its owner can read', async () => {
    expect(await ledger.read()).toEqual([]);
    await ledger.checkWritable();
    expect([statSync(path).mode & 0o777, await ledger.read()]).toEqual([0o600, []]);
  });

  it('has the erasures of clients and practices in the order of their addition, each once', async () => {
    const entries = [entry(), entry('all'), entry()];
    for (const each of [...entries, ...entries]) await ledger.add(each);
    expect(await ledger.read()).toEqual(entries);
    expect(readFileSync(path, 'utf8').split('\n').filter(Boolean)).toHaveLength(3);
  });

  it('writes ids in lower case, like the database', async () => {
    const { therapistId, client } = entry();
    await ledger.add({ therapistId, client: client.toUpperCase() });
    expect(await ledger.read()).toEqual([{ therapistId, client }]);
  });

  it('loses only the entry that a crash has cut off at any byte', async () => {
    const [first, second, third] = [entry(), entry(), entry('all')];
    await ledger.add(first);
    const size = statSync(path).size;
    await ledger.add(second);
    const whole = readFileSync(path);
    for (let end = size; end < whole.length - 1; end += 1) {
      writeFileSync(path, whole);
      truncateSync(path, end);
      expect(await ledger.read()).toEqual([first]);
      await ledger.add(third);
      expect(await ledger.read()).toEqual([first, third]);
    }
  });

  it.each(['nonsense', `${randomUUID()} everyone 2030-01-01T00:00:00.000Z`, '\0\0\0'])(
    'cannot be read with the line %j',
    async (line) => {
      await ledger.add(entry());
      appendFileSync(path, `\n${line}\n`);
      await expect(ledger.read()).rejects.toThrow('line 4: no entry of a ledger');
    },
  );

  it('keeps all entries when several writers append at the same time', async () => {
    const entries = Array.from({ length: 40 }, () => entry());
    await Promise.all(entries.map((each) => new ErasureLedger(path).add(each)));
    const byClient = (one: LedgerEntry, other: LedgerEntry): number => one.client.localeCompare(other.client);
    expect([...(await ledger.read())].sort(byClient)).toEqual([...entries].sort(byClient));
  });

  it('refuses a malformed entry, and a folder that does not exist', async () => {
    await expect(ledger.add(entry('everyone'))).rejects.toThrow('no entry of a ledger');
    const lost = new ErasureLedger(join(folder, 'missing', 'clients.erasures'));
    await expect(lost.checkWritable()).rejects.toThrow('ENOENT');
    await expect(lost.add(entry())).rejects.toThrow('ENOENT');
  });
});
