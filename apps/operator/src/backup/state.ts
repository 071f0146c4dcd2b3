// The state beside the files of a database: the secrets with the key-encryption keys, and the ledgers of erasures. A change reaches
// the target within a second.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { keyLists, keysFolderOf } from '../settings/key-lists.js';
import { openSecrets } from '../settings/secrets.js';
import { writePrivately } from '../common/private-file.js';
import { ledgerFolder, stamp, stateFolder, timeOf } from './layout.js';
import type { Target } from './target.js';

const [SECRETS, READERS] = ['secrets.json', 'nats-readers.json'];
const LEDGER = '.erasures';

interface Place {
  readonly dataDir: string;
  readonly system: string;
  readonly target: Target;
}

type Files = Readonly<Record<string, string>>;

const contentIn = (folder: string, names: readonly string[]): Files =>
  Object.fromEntries(
    names
      .filter((name) => existsSync(join(folder, name)))
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  );

function ledgersIn(dataDir: string): Files {
  const folder = keysFolderOf(dataDir);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return contentIn(
    folder,
    names.filter((name) => name.endsWith(LEDGER)),
  );
}

/** Ships files that have changed since the last call. Each state of the secrets is kept: an older database may need older keys. */
export function stateShipper({ dataDir, system, target }: Place): () => Promise<void> {
  const shipped = new Map<string, string>();
  const once = async (about: string, content: string, ship: () => Promise<void>): Promise<void> => {
    const hash = createHash('sha256').update(content).digest('hex');
    if (shipped.get(about) === hash) return;
    await ship();
    shipped.set(about, hash);
  };
  const put = (name: string, content: string): Promise<void> => target.put(name, Readable.from([content]));
  return async () => {
    const state = JSON.stringify(contentIn(dataDir, [SECRETS, READERS, 'format']));
    await once('state', state, () => put(`${stateFolder(system)}/${stamp(new Date())}`, state));
    for (const [name, content] of Object.entries(ledgersIn(dataDir)))
      await once(name, content, async () =>
        put(`${ledgerFolder(system)}/${name}`, merged(content, await ledger({ system, target }, name))),
      );
  };
}

async function ledger({ system, target }: Omit<Place, 'dataDir'>, name: string): Promise<string> {
  const file = `${ledgerFolder(system)}/${name}`;
  return target.has(file) ? text(target.get(file)) : '';
}

/** The distinct lines of all contents. Their order does not matter. A last line without a line feed was cut off, and is dropped. */
function merged(...contents: readonly string[]): string {
  const lines = contents.flatMap((content) => content.split('\n').slice(0, -1));
  return [...new Set(lines)].map((line) => `${line}\n`).join('');
}

/**
 * Writes the secrets of a time into a data folder, and adds the entries of the ledgers.
 * @param at the time to which the database is restored; the newest state if it is undefined
 */
export async function restoreState({ dataDir, system, target }: Place, at: Date | undefined): Promise<void> {
  const ledgers = await Promise.all(
    target
      .list(ledgerFolder(system))
      .map(async (file) => ({ file, lines: await ledger({ system, target }, file) })),
  );
  const states = target.list(stateFolder(system));
  const filesOf = async (state: string): Promise<Files> =>
    JSON.parse(await text(target.get(`${stateFolder(system)}/${state}`))) as Files;
  // A change reaches the target a moment later, so the next state has the secrets of that time.
  const name = states.find((one) => at !== undefined && timeOf(one) >= at) ?? states.at(-1);
  if (name !== undefined) {
    const chosen = await filesOf(name);
    // A damaged state does not end the restore: other states than the chosen one are rarely needed.
    const all = (await Promise.allSettled(states.map(filesOf))).flatMap((one) =>
      one.status === 'fulfilled' ? [one.value] : [],
    );
    // A subscriber that was revoked after that time stays revoked.
    const readers = existsSync(join(dataDir, READERS)) ? undefined : all.at(-1)?.[READERS];
    for (const [file, content] of Object.entries({ ...chosen, [READERS]: readers }))
      if (content !== undefined) writePrivately(join(dataDir, file), content);
    addKeys(dataDir, all);
  }
  const folder = keysFolderOf(dataDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const { file, lines } of ledgers) {
    const known = existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8') : '';
    writePrivately(join(folder, file), merged(known, lines));
  }
}

/**
 * Adds the keys of all states to the secrets. After a restore, the next state may belong to another timeline, and lack the key that
 * sealed the rows.
 */
function addKeys(dataDir: string, states: readonly Files[]): void {
  const secrets = openSecrets(dataDir);
  const all = states.map((files) => JSON.parse(files[SECRETS] ?? '{}') as Files);
  for (const { secret } of keyLists) {
    const known = secrets.find(secret);
    if (known === undefined) continue;
    const lists = [known, ...all.map((files) => files[secret] ?? known)];
    const keys = [...new Set(lists.flatMap((list) => list.split(',')))].join();
    if (keys !== known) secrets.set(secret, keys);
  }
  secrets.save();
}
