// The key-encryption keys of a service. They seal the keys of clients and the secrets of the identity service before these are
// stored.

import { readFileSync } from 'node:fs';
import { Seal } from '@practice/core';

const FILE = 'file:';
const PERSONAL_KEYS = 'practice personal keys';

/**
 * Makes a function that reads the secrets of a setting, the newest first. It returns the same array until they change.
 * @param setting secrets separated by commas or line ends. With `file:` and a path, each call reads them from that file, so they
 *   can change while the service runs.
 */
export function secretsIn(setting: string): () => readonly string[] {
  const read = setting.startsWith(FILE)
    ? () => readFileSync(setting.slice(FILE.length), 'utf8')
    : () => setting;
  let text: string | undefined;
  let secrets: readonly string[] = [];
  return () => {
    const found = read();
    if (found !== text) secrets = separated(found);
    text = found;
    return secrets;
  };
}

function separated(text: string): readonly string[] {
  const secrets = text.split(/[,\r\n]+/).map((secret) => secret.trim());
  const found = secrets.filter((secret) => secret !== '');
  if (found.length === 0) throw new Error('there is no key-encryption key');
  return found;
}

/** The key-encryption keys for the keys of clients. @param setting as of `Keyring` */
export const keyEncryptionOf = (setting: string): Keyring => new Keyring(setting, PERSONAL_KEYS);

/** Several key-encryption keys: the newest seals, all of them open. */
export class Keyring {
  private readonly read: () => readonly string[];
  private secrets: readonly string[] = [];
  private seals: readonly Seal[] = [];

  /**
   * @param setting as of `secretsIn`; a file is read again whenever something is sealed, and when no key opens
   * @param purpose as of `Seal`
   */
  constructor(
    setting: string,
    private readonly purpose: string,
  ) {
    this.read = secretsIn(setting);
    this.refresh();
  }

  /** @param id of the key; it can be opened only with the same id */
  seal(key: Uint8Array, id: string): string {
    this.refresh();
    return this.newest.seal(key, id);
  }

  /** @throws {Error} when none of the key-encryption keys opens it */
  open(sealed: string, id: string): Buffer {
    const key = this.find(sealed, id);
    if (key === undefined)
      throw new Error(`no key-encryption key opens a secret (${this.purpose}): was it replaced?`);
    return key;
  }

  /** As `open`; undefined when no key-encryption key opens it. */
  find(sealed: string, id: string): Buffer | undefined {
    return this.tryAll(sealed, id) ?? (this.refresh(), this.tryAll(sealed, id));
  }

  /** Whether a key is sealed by the key-encryption key that seals now. */
  isCurrent(sealed: string, id: string): boolean {
    return this.newest.open(sealed, id) !== undefined;
  }

  private get newest(): Seal {
    return this.seals[0] as Seal;
  }

  private tryAll(sealed: string, id: string): Buffer | undefined {
    for (const seal of this.seals) {
      const key = seal.open(sealed, id);
      if (key !== undefined) return key;
    }
    return undefined;
  }

  private refresh(): void {
    const secrets = this.read();
    if (secrets === this.secrets) return;
    this.secrets = secrets;
    this.seals = secrets.map((secret) => new Seal(secret, this.purpose));
  }
}
