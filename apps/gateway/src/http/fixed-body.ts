// Bodies that never change, compressed once. They contain no secret. Responses with records are not compressed: beside words of a
// caller, their length would show what they contain (BREACH).

import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { accepts, type HttpRequest } from './request.js';
import type { HttpResponse } from './responses.js';

export class FixedBody {
  private readonly tag: string;
  private zipped: Promise<Buffer> | undefined;

  constructor(readonly bytes: Buffer) {
    this.tag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;
  }

  /** The response with this body, or 304 if the caller has it. */
  async answer(request: HttpRequest, given: Readonly<Record<string, string>>): Promise<HttpResponse> {
    // Both forms have the same content, so they share a weak tag.
    const headers = { ...given, ETag: `W/${this.tag}`, Vary: 'Accept-Encoding' };
    if (request.headers['if-none-match']?.includes(this.tag) === true) return { status: 304, headers };
    if (!accepts(request, 'gzip')) return { status: 200, headers, body: this.bytes };
    this.zipped ??= promisify(gzip)(this.bytes);
    return { status: 200, headers: { ...headers, 'Content-Encoding': 'gzip' }, body: await this.zipped };
  }
}
