import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from '@jest/globals';
import { until } from '../common/until.js';
import { identify, isAlive, type ProcessIdentity } from '../processes/identity.js';
import { filesOf, ledgerFolder, manifestOf, walName, type Base } from './layout.js';
import { prune } from './prune.js';
import { restoreState } from './state.js';
import { targetOf, type Target } from './target.js';

const folder = mkdtempSync(join(tmpdir(), 'practice-target-'));
afterAll(() => rmSync(folder, { recursive: true }));
const key = randomBytes(32).toString('base64url');
const inFolder = (name: string, BACKUP_KEY = key, BACKUP_COMMAND = ''): Target =>
  targetOf({ BACKUP_TARGET: join(folder, name), BACKUP_KEY, BACKUP_COMMAND }) as Target;
const content = (value: string) => (): Readable => Readable.from([value]);

describe('a target', () => {
  it('keeps a file that never changes, and refuses a different file of the same name', async () => {
    const target = inFolder('once');
    await target.putOnce('wal/1', content('log'));
    await target.putOnce('wal/1', content('log'));
    await expect(target.putOnce('wal/1', content('other'))).rejects.toThrow('does another system use it?');
    expect(await text(target.get('wal/1'))).toBe('log');
  });

  it('is whole if two processes write the same file at once', async () => {
    const [one, other] = [inFolder('twice'), inFolder('twice')];
    const log = 'log'.repeat(100_000);
    await Promise.all([one, other].map((target) => target.putOnce('wal/1', content(log))));
    expect(await text(one.get('wal/1'))).toBe(log);
  });

  it('loses the halves of files whose writers were killed, not of a file that is being written', () => {
    const wal = join(folder, 'halves', '1', 'wal');
    mkdirSync(wal, { recursive: true });
    for (const name of ['whole', 'killed.part', 'writing.part']) writeFileSync(join(wal, name), '');
    for (const name of ['whole', 'killed.part']) utimesSync(join(wal, name), 0, 0);
    inFolder('halves').removeHalves();
    expect(readdirSync(wal).sort()).toEqual(['whole', 'writing.part']);
  });

  it('reports a command that fails', async () => {
    await expect(inFolder('command', key, 'exit 3').put('a', content('x')())).rejects.toThrow(
      'status 3 for a',
    );
  });

  it('runs a command that prints megabytes, and lets it read nothing', async () => {
    const command = 'cat; head -c 3000000 /dev/zero; test -n "$BACKUP_FILE"';
    await inFolder('talkative', key, command).put('a', content('x')());
    expect(inFolder('talkative').list('.')).toContain('a');
  });

  it('ends a command that hangs, with the programs that it started', async () => {
    const started = join(folder, 'hanging');
    const settings = { BACKUP_TARGET: join(folder, 'ended'), BACKUP_KEY: key };
    const BACKUP_COMMAND = `sleep 1000 & echo $! > ${started}; wait`;
    const ended = new AbortController();
    const put = targetOf({ ...settings, BACKUP_COMMAND }, ended.signal)?.put('a', content('x')());
    await until(() => existsSync(started) && readFileSync(started, 'utf8') !== '', { within: 60_000 });
    const sleeping = identify(Number(readFileSync(started, 'utf8'))) as ProcessIdentity;
    ended.abort();
    await expect(put).rejects.toThrow('BACKUP_COMMAND failed with status unknown for a');
    expect(await until(() => !isAlive(sleeping), { within: 60_000 })).toBe(true);
  });

  it('refuses a key that is not the key of its files', async () => {
    await inFolder('keys').put('a', content('x')());
    expect(() => inFolder('keys', randomBytes(32).toString('base64url'))).toThrow('is another key');
    expect(await text(inFolder('keys').get('a'))).toBe('x');
  });

  it.each([
    ['', 'needs BACKUP_KEY'],
    ['short', 'is not a key of 32 bytes'],
    ['file:/nonexistent', 'cannot be read'],
  ])('needs a key: %j', (wrong, message) => {
    expect(() => inFolder('key', wrong)).toThrow(message);
  });

  it('reads its key from a file', async () => {
    writeFileSync(join(folder, 'key-file'), `${key}\n`);
    await inFolder('file', `file:${join(folder, 'key-file')}`).put('a', content('x')());
    expect(await text(inFolder('file').get('a'))).toBe('x');
  });
});

describe('a backup that is older than the limit', () => {
  const base = async (target: Target, day: string, firstWal: string): Promise<void> => {
    const id = `2030010${day}T000000.000Z`;
    const manifest: Base = { id, completedAt: `2030-01-0${day}T00:01:00.000Z`, firstWal, bytes: 1 };
    await target.put(filesOf('1', id), content('files')());
    await target.put(manifestOf('1', id), content(JSON.stringify(manifest))());
  };

  it('is deleted, unless it is the last one before the limit', async () => {
    const target = inFolder('prune');
    await base(target, '1', '000000010000000000000003');
    await base(target, '2', '000000010000000000000005');
    await base(target, '3', '000000020000000000000007');
    for (const place of ['3', '4', '5', '6'])
      await target.put(walName('1', `00000001000000000000000${place}`), content('x')());
    await target.put(walName('1', '00000002.history'), content('1\t0/6000100\trestored\n')());
    expect(await prune(target, '1', new Date('2030-01-02T12:00:00Z'))).toBe(1);
    expect(target.list('1/base')).toEqual(['20300102T000000.000Z', '20300103T000000.000Z']);
    expect(target.list('1/wal')).toEqual([
      '000000010000000000000005',
      '000000010000000000000006',
      '00000002.history',
    ]);
    expect(await prune(target, '1', new Date('2029-01-01T00:00:00Z'))).toBe(0);
  });

  it('stays if every later one before the limit is from a branch that a restore has left', async () => {
    const target = inFolder('branch');
    await base(target, '1', '000000010000000000000003');
    await base(target, '2', '000000010000000000000007');
    await base(target, '4', '000000020000000000000009');
    for (const file of ['000000010000000000000003', '000000020000000000000006'])
      await target.put(walName('1', file), content('x')());
    await target.put(walName('1', '00000002.history'), content('1\t0/6000100\trestored\n')());
    expect(await prune(target, '1', new Date('2030-01-03T12:00:00Z'))).toBe(0);
    expect(target.list('1/base')).toHaveLength(3);
    expect(target.list('1/wal')).toContain('000000010000000000000003');
  });
});

/** Stores states of the first days of 2030, in order. */
async function putStates(target: Target, states: readonly object[]): Promise<void> {
  for (const [index, state] of states.entries())
    await target.put(`1/state/2030010${index + 1}T000000.000Z`, content(JSON.stringify(state))());
}

describe('the state of a time', () => {
  it('has the secrets of the next state, and every line of both ledgers', async () => {
    const target = inFolder('state');
    const dataDir = mkdtempSync(join(folder, 'data-'));
    await putStates(target, [{ 'secrets.json': '1' }, { 'secrets.json': '2' }, { 'secrets.json': '3' }]);
    await target.put(`${ledgerFolder('1')}/clients.erasures`, content('\none\n\ntwo\n')());
    await restoreState({ dataDir, system: '1', target }, new Date('2030-01-01T12:00:00Z'));
    const ledger = join(dataDir, 'keys', 'clients.erasures');
    expect(readFileSync(join(dataDir, 'secrets.json'), 'utf8')).toBe('2');
    writeFileSync(ledger, '\nthree\ncut off');
    await restoreState({ dataDir, system: '1', target }, undefined);
    expect(readFileSync(join(dataDir, 'secrets.json'), 'utf8')).toBe('3');
    const lines = readFileSync(ledger, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
    expect(lines.sort()).toEqual(['one', 'three', 'two']);
  });

  it('has the keys of every state: the next one may be from after a restore to an earlier time', async () => {
    const target = inFolder('keys-of-states');
    const dataDir = mkdtempSync(join(folder, 'data-'));
    const withKeys = (keys: string) => ({ 'secrets.json': JSON.stringify({ personal_keys_clients: keys }) });
    await putStates(target, [withKeys('first'), withKeys('second,first'), withKeys('first')]);
    writeFileSync(join(folder, 'keys-of-states', '1/state/20300101T000000.000Z'), 'damaged');
    await restoreState({ dataDir, system: '1', target }, new Date('2030-01-02T12:00:00Z'));
    expect(JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8'))).toEqual({
      personal_keys_clients: 'first,second',
    });
  });

  it('has the subscribers of the newest state, or the present ones: a revoked one stays revoked', async () => {
    const target = inFolder('readers');
    const dataDir = mkdtempSync(join(folder, 'data-'));
    const withReaders = (readers: string) => ({ 'secrets.json': '{}', 'nats-readers.json': readers });
    await putStates(target, [withReaders('partner'), withReaders('nobody')]);
    const file = join(dataDir, 'nats-readers.json');
    await restoreState({ dataDir, system: '1', target }, new Date('2029-12-31T12:00:00Z'));
    expect(readFileSync(file, 'utf8')).toBe('nobody');
    writeFileSync(file, 'present');
    await restoreState({ dataDir, system: '1', target }, new Date('2029-12-31T12:00:00Z'));
    expect(readFileSync(file, 'utf8')).toBe('present');
  });
});
