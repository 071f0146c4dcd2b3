// The target of backups: a folder, which should be on another machine's disk. Every file in it is compressed and encrypted.
import { spawn } from 'node:child_process';
import { createHash, hkdfSync, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { open as openFile, rename } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { machineEnvironment, type Settings } from '../settings/operator.config.js';
import { messageOf } from '@practice/process';
import { Failure } from '../common/failure.js';
import { writePrivately } from '../common/private-file.js';
import { open, seal } from './sealed-stream.js';

type BackupSettings = Pick<Settings, 'BACKUP_TARGET' | 'BACKUP_KEY' | 'BACKUP_COMMAND'>;

/**
 * The target of the settings; undefined if no target is set.
 * @param ended ends the commands that run, and that would run later
 * @throws {Failure} if no valid key is set, or the files of the target were encrypted with another key
 */
export function targetOf(settings: BackupSettings, ended?: AbortSignal) {
  const { BACKUP_TARGET, BACKUP_COMMAND } = settings;
  if (BACKUP_TARGET === '') return undefined;
  const folder = resolve(BACKUP_TARGET);
  const ship = (file: Shipped): Promise<void> => shipped(BACKUP_COMMAND, file, ended);
  const key = keyOf(settings);
  const pathOf = (name: string): string => join(folder, name);
  const check = pathOf(KEY_CHECK);
  if (existsSync(check) && readFileSync(check, 'utf8') !== checkOf(key))
    throw new Failure('BACKUP_KEY is another key than that of the backups in BACKUP_TARGET.');
  /** The content of a file. The stream fails with a {@link Failure} if the file is damaged, or was encrypted with another key. */
  const get = (name: string): Readable => contentOf(pathOf(name), key, name);
  /** Writes a file. The file appears complete, and is then on the disk. */
  const put = async (name: string, content: Readable): Promise<void> => {
    await write(pathOf(name), content, { key, name });
    await ship({ path: pathOf(name), name });
    if (existsSync(check)) return;
    writePrivately(check, checkOf(key));
    await ship({ path: check, name: KEY_CHECK }).catch((error: unknown) => {
      rmSync(check);
      throw error;
    });
  };
  return {
    put,
    /** Writes a file that never changes. @throws {Failure} if the target has a different file of this name */
    putOnce: async (name: string, content: () => Readable): Promise<void> => {
      if (!existsSync(pathOf(name))) return put(name, content());
      if ((await digest(get(name))) !== (await digest(content())))
        throw new Failure(`BACKUP_TARGET has another file ${name}: does another system use it?`);
      await ship({ path: pathOf(name), name });
    },
    get,
    has: (name: string): boolean => existsSync(pathOf(name)),
    /** The names in a folder, in order; none if it does not exist. */
    list: (name: string): string[] =>
      namesIn(pathOf(name))
        .filter((one) => !one.endsWith(HALF))
        .sort(),
    remove: (name: string): void => rmSync(pathOf(name), { recursive: true, force: true }),
    /** Removes the halves of files whose writers were killed. */
    removeHalves: (): void => removeHalves(folder),
  };
}

export type Target = NonNullable<ReturnType<typeof targetOf>>;

/** The ending of a file that is being written. */
const HALF = '.part';
/** A writer that lives writes all the time. One that is taken for dead fails when its file is complete, and is repeated. */
const DEAD_AFTER_MS = 3_600_000;

const namesIn = (folder: string, recursive = false): string[] =>
  existsSync(folder) ? readdirSync(folder, { recursive, encoding: 'utf8' }) : [];

function removeHalves(folder: string): void {
  for (const path of namesIn(folder, true)
    .filter((file) => file.endsWith(HALF))
    .map((file) => join(folder, file))) {
    const { mtimeMs = Date.now() } = statSync(path, { throwIfNoEntry: false }) ?? {};
    if (mtimeMs < Date.now() - DEAD_AFTER_MS) rmSync(path, { force: true });
  }
}

/** A file of the target that shows whether a key is the right one. Its content does not help to decrypt anything. */
const KEY_CHECK = 'key-check';
const checkOf = (key: Buffer): string =>
  Buffer.from(hkdfSync('sha256', key, '', KEY_CHECK, 32)).toString('hex');

const MAKE_KEY = `Make one with: node -p "crypto.randomBytes(32).toString('base64url')"`;

function keyOf({ BACKUP_KEY }: BackupSettings): Buffer {
  if (BACKUP_KEY === '') throw new Failure(`BACKUP_TARGET needs BACKUP_KEY. ${MAKE_KEY}`);
  const text = BACKUP_KEY.startsWith('file:') ? read(BACKUP_KEY.slice('file:'.length)) : BACKUP_KEY;
  const key = Buffer.from(text, 'base64url');
  if (key.length === 32) return key;
  throw new Failure(`BACKUP_KEY is not a key of 32 bytes. ${MAKE_KEY}`);
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new Failure(`The file of BACKUP_KEY cannot be read: ${messageOf(error)}`);
  }
}

async function write(
  path: string,
  content: Readable,
  { key, name }: { key: Buffer; name: string },
): Promise<void> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // During an upgrade, two containers with the same process id write the same file.
  const half = `${path}.${randomUUID()}${HALF}`;
  try {
    const file = createWriteStream(half, { mode: 0o600 });
    await pipeline(content, createGzip({ level: 1 }), seal(key, name), file);
    await sync(half);
    await rename(half, path);
    await sync(dirname(path));
  } finally {
    rmSync(half, { force: true });
  }
}

async function sync(path: string): Promise<void> {
  const handle = await openFile(path);
  await handle.sync().finally(() => handle.close());
}

function contentOf(path: string, key: Buffer, name: string): Readable {
  const content = createGunzip();
  pipeline(createReadStream(path), open(key, name), content).catch((error: unknown) =>
    content.destroy(error as Error),
  );
  return content;
}

async function digest(content: Readable): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of content) hash.update(part as Buffer);
  return hash.digest('hex');
}

interface Shipped {
  readonly path: string;
  readonly name: string;
}

/** The time between a request to end and SIGKILL. */
const COMMAND_ENDS_WITHIN_MS = 2000;

/** Runs the command of the operator for a file, for example to copy it to another place. It may print any amount, which is ignored. */
async function shipped(command: string, { path, name }: Shipped, ended?: AbortSignal): Promise<void> {
  if (command === '') return;
  const env = { ...machineEnvironment(), BACKUP_FILE: path, BACKUP_NAME: name };
  // A process group of its own: the end of only the shell would leave the programs that it started.
  const detached = ended !== undefined;
  const running = spawn('/bin/sh', ['-c', command], { env, stdio: 'ignore', detached });
  const end = (): void => {
    signalGroup(running.pid, 'SIGTERM');
    setTimeout(() => signalGroup(running.pid, 'SIGKILL'), COMMAND_ENDS_WITHIN_MS);
  };
  ended?.addEventListener('abort', end);
  if (ended?.aborted) end();
  const [status] = (await once(running, 'close').catch(() => [null])) as [number | null];
  ended?.removeEventListener('abort', end);
  if (status !== 0)
    throw new Failure(`BACKUP_COMMAND failed with status ${status ?? 'unknown'} for ${name}.`);
}

function signalGroup(leader: number | undefined, signal: NodeJS.Signals): void {
  try {
    if (leader !== undefined) process.kill(-leader, signal);
  } catch {
    // All of its processes have ended.
  }
}
