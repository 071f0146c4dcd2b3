import { createHash, randomBytes } from 'node:crypto';
import { Seal } from '@practice/core';

const SECRET_BYTES = 32;

export const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');

/** The hash of an export's secret. It identifies the export in messages. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

/** Encrypts the parts of an archive with the secret of its link. The secret is not stored, so the database does not reveal the archive. */
export const archiveSeal = (secret: string): Seal => new Seal(secret, 'archive of an export');

/** The id with which a part is sealed: it can be opened only as the part with this index. */
export const partId = (index: number): string => `part ${index}`;
