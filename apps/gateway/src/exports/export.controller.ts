// Delivers archives to the holders of their links.

import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { Controller, Get, Inject, Req } from '@nestjs/common';
import type { Requester } from '@practice/bus';
import { EXPORT_ARCHIVE, EXPORT_LINKS, PART_BYTES } from '@practice/contracts';
import type { ExportArchive, OpenedArchive } from '@practice/contracts';
import { problemFor, reject, type Seal } from '@practice/core';
import { commonHeaders, type Operation } from '@practice/describe';
import { Endpoint, parameter, refused, response, text } from '../http/endpoint.js';
import { type HttpRequest, queryOf } from '../http/request.js';
import type { HttpResponse } from '../http/responses.js';
import { exportReply } from '../services/failure.js';
import { ACCOUNT_REQUESTER } from '../services/requesters.js';
import { archiveSeal, hashOf, partId } from './archive-seal.js';

// The call that delivers an archive.

const exportOperation: Operation = {
  tags: ['exports'],
  summary: 'The archive of an export',
  description:
    'The link in the response of `rpc/export_practice`. It needs no key and no token, and ends after 24 hours. HEAD returns the size.',
  parameters: [
    parameter('id', 'path', { description: 'The row of `exports`.' }),
    parameter('token', 'query', { description: 'The secret of the link.', required: true }),
  ],
  responses: {
    200: {
      ...response('The archive.', { 'application/zip': { ...text, format: 'binary' } }),
      headers: {
        ...commonHeaders,
        'Content-Disposition': { description: 'The name of the file.', schema: text },
      },
    },
    404: refused('The archive is not complete, or the link has ended or is not valid (`PM404`).'),
    429: refused('Too many calls; `Retry-After` contains the seconds to wait (`PM004`).'),
    503: refused('The identity service or its database is unavailable (`PM503`).'),
  },
};

const OK = 200;

const ended = problemFor('PM404', {
  message: 'The link leads to no archive: it is not complete, or the link has ended or is not valid',
  hint: 'Call rpc/export_practice for a new one.',
});

type Named = Pick<ExportArchive, 'hash' | 'id'>;

@Controller(EXPORT_LINKS)
export class ExportController {
  constructor(@Inject(ACCOUNT_REQUESTER) private readonly requester: Requester) {}

  @Get(':id')
  @Endpoint({ access: 'open', limitOfAddress: 'auth', operation: exportOperation })
  async download(@Req() request: HttpRequest): Promise<HttpResponse> {
    const { id = '' } = request.params as { id?: string };
    const secret = new URLSearchParams(queryOf(request.raw.url ?? '')).get('token') ?? '';
    const named = { hash: hashOf(secret), id: id.toLowerCase() };
    const isDownload = request.method === 'GET';
    const opened = await this.open(request, { ...named, step: 'open', address: request.ip, isDownload });
    const { size, requestedAt } = opened ?? reject(ended);
    return {
      status: OK,
      headers: {
        'Content-Type': 'application/zip',
        'Content-Length': String(size),
        'Content-Disposition': `attachment; filename="practice-export-${requestedAt.slice(0, 10)}.zip"`,
        'Cache-Control': 'no-store',
        'Referrer-Policy': 'no-referrer',
      },
      ...(isDownload && { body: Readable.from(this.bytes(named, archiveSeal(secret), size)) }),
    };
  }

  private async open(
    { id: requestId }: HttpRequest,
    fields: ExportArchive,
  ): Promise<OpenedArchive | undefined> {
    const { status, body } = await this.ask(requestId, fields);
    return status === OK ? (JSON.parse(body.toString()) as OpenedArchive) : undefined;
  }

  /** The decrypted archive. If the link ends during the download, the response is shorter than its `Content-Length`. */
  private async *bytes(named: Named, seal: Seal, size: number): AsyncGenerator<Buffer> {
    const requestId = randomUUID();
    for (let index = 0; index * PART_BYTES < size; index += 1) {
      const { status, body } = await this.ask(requestId, { ...named, step: 'part', index });
      if (status !== OK) throw new Error('the link has ended during the download');
      yield seal.openBytes(body, partId(index));
    }
  }

  /** @throws {Rejection} PM503 if identity or its database is unavailable */
  private async ask(requestId: string, fields: ExportArchive) {
    const envelope = { op: EXPORT_ARCHIVE, requestId, ...fields };
    return exportReply(await this.requester.request('identity', envelope, ''));
  }
}
