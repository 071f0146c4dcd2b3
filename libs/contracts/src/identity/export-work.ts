// The messages between a gateway, which makes and delivers archives, and the identity service, which stores them sealed. A hash of
// the secret in the link identifies the export. Only the holder of the link and the gateway that made the archive know the secret.

/** The requests of the gateway that makes an archive. */
export const EXPORT_WORK = 'export-work';
/** The requests of a gateway on behalf of the holder of a link. */
export const EXPORT_ARCHIVE = 'export-archive';

/** Bytes of the archive in each stored part, except the last one. */
export const PART_BYTES = 512 * 1024;

/** The path below `BASE_URL`. The secret is in the query, because paths are logged. */
export const EXPORT_LINKS = 'exports/v1';

/** Envelope fields of `export-work`. The status of a reply is 200, or 404 if the export has ended. The body of `part` has the sealed bytes. */
export type ExportWork = {
  /** Hash of the secret. */
  readonly hash: string;
} & (
  | { readonly step: 'begin' }
  /** Renews the lease. Without a renewal, the export fails after a while. */
  | { readonly step: 'continue'; readonly progress: number }
  | { readonly step: 'part'; readonly index: number }
  | { readonly step: 'complete'; readonly size: number }
  | { readonly step: 'fail'; readonly problem: string }
);

/** Reply to the step `begin`. */
export interface BegunExport {
  readonly id: string;
  readonly requestedAt: string;
}

/** Envelope fields of `export-archive`: `open` asks about the archive, `part` for the sealed bytes of a part. 404 if the link has ended. */
export type ExportArchive = {
  readonly hash: string;
  readonly id: string;
} & (
  | { readonly step: 'open'; readonly address: string; readonly isDownload: boolean }
  | { readonly step: 'part'; readonly index: number }
);

/** Reply to the step `open`. */
export interface OpenedArchive {
  /** Bytes of the archive. */
  readonly size: number;
  /** When it was requested. */
  readonly requestedAt: string;
}
