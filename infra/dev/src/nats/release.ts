// The official release of nats-server, pinned: what was downloaded must be what was checked when this was written.
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

export const RELEASE = 'v2.10.22';

const sums: Readonly<Record<string, string>> = {
  'linux-amd64': 'db0b3ccbe4cbdd3872ae7486ec4f6b0f85824632a0789f4da2e0a8518390483e',
  'linux-arm64': 'b4da77b2b194dc5fcf13a1df0dad59ba7e87ae4423f254c50534015b7c8a2369',
  'darwin-amd64': 'e99eb01a886b5de05972445e362e48cf8ad10b45e4cd5a5592475b184f8f81c9',
  'darwin-arm64': '93ce74f61a49d8fa9dfbf420e5a844e25309e429c5c8e27b54b3283d0712fcff',
};

const CONNECT_WITHIN = 4_000;
const DOWNLOAD_WITHIN = 60_000;

/**
 * Downloads the release into the cache.
 * @returns path of the program
 * @throws when it cannot be reached, or is not the file that was pinned
 */
export async function fetchRelease(cacheDir: string): Promise<string> {
  const platform = `${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`;
  const sum = sums[platform];
  if (sum === undefined) throw new Error(`no official release is pinned for ${platform}`);
  const name = `nats-server-${RELEASE}-${platform}`;
  const archive = await download(
    `https://github.com/nats-io/nats-server/releases/download/${RELEASE}/${name}.tar.gz`,
  ).catch((cause: unknown) => {
    throw new Error(`the official release ${RELEASE} cannot be reached`, { cause });
  });
  const found = createHash('sha256').update(archive).digest('hex');
  if (found !== sum)
    throw new Error(`the official release ${RELEASE} has sha256 ${found}, not the pinned ${sum}`);
  return keep(fileInTar(gunzipSync(archive), `${name}/nats-server`), join(cacheDir, 'nats'));
}

async function download(address: string): Promise<Buffer> {
  const stop = new AbortController();
  const impatience = setTimeout(() => stop.abort(), CONNECT_WITHIN);
  try {
    const response = await fetch(address, {
      signal: AbortSignal.any([stop.signal, AbortSignal.timeout(DOWNLOAD_WITHIN)]),
    });
    clearTimeout(impatience);
    if (!response.ok) throw new Error(`status ${response.status}`);
    return Buffer.from(await response.arrayBuffer());
  } finally {
    clearTimeout(impatience);
  }
}

/** A tar archive is a row of 512-byte blocks: a header with the name and the octal size, then the content. */
function fileInTar(tar: Buffer, wanted: string): Buffer {
  for (let at = 0; at + 512 <= tar.length;) {
    const name = tar.toString('utf8', at, at + 100).replace(/\0.*$/s, '');
    const size = parseInt(tar.toString('latin1', at + 124, at + 136), 8) || 0;
    if (name === wanted) return tar.subarray(at + 512, at + 512 + size);
    at += 512 + Math.ceil(size / 512) * 512;
  }
  throw new Error(`the official release ${RELEASE} holds no ${wanted}`);
}

function keep(program: Buffer, folder: string): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'nats-server');
  const beside = `${file}.${process.pid}`;
  writeFileSync(beside, program);
  chmodSync(beside, 0o755);
  renameSync(beside, file);
  return file;
}
