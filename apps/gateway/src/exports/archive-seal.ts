// Encrypts the stored parts of an archive with a key that is derived from the secret in its link. The secret is stored nowhere, so
// neither the database nor a copy of it reveals the archive.

import { createHash, randomBytes } from 'node:crypto';
import { Seal } from '@practice/core';

const SECRET_BYTES = 32;

export const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');

/** Names an export in messages. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

export const archiveSeal = (secret: string): Seal => new Seal(secret, 'archive of an export');

/** For which a part is sealed: it can be opened only as the part with this index. */
export const partId = (index: number): string => `part ${index}`;
