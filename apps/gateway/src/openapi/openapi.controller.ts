// The API's descriptions. They need the API key but no user.

import { All, Controller, Req } from '@nestjs/common';
import { reject } from '@practice/core';
import { checkProfile, notAcceptable, type RestHeaders } from '@practice/query';
import { Endpoint } from '../http/endpoint.js';
import { methodNotAllowed } from '../http/not-found.js';
import { acceptedType, type HttpRequest, queryOf } from '../http/request.js';
import { type HttpResponse, JSON_TYPE } from '../http/responses.js';
import { Documents } from './documents.js';

const ALLOW = 'OPTIONS,GET,HEAD';
const SWAGGER_TYPE = 'application/openapi+json';
const TYPES = [SWAGGER_TYPE, 'application/json'];

@Controller('rest/v1')
export class OpenApiController {
  constructor(private readonly documents: Documents) {}

  /** The root, with and without a trailing slash (Nest removes one slash from the end of a path). */
  @All(['', '//'])
  @Endpoint({ access: 'key' })
  root(@Req() request: HttpRequest): Promise<HttpResponse> {
    const { headers } = request;
    checkProfile(request.method, headers as RestHeaders);
    checkMethod(request);
    if (acceptedType(headers.accept, TYPES) === undefined) notAcceptable(headers.accept ?? '');
    return this.documents.swagger.answer(request, { 'Content-Type': `${SWAGGER_TYPE}; charset=utf-8` });
  }

  /** The whole API in OpenAPI 3.1; with `compact`, a short form. */
  @All('openapi.json')
  @Endpoint({ access: 'key' })
  openApi(@Req() request: HttpRequest): Promise<HttpResponse> {
    checkMethod(request);
    const body = isCompact(request) ? this.documents.compact : this.documents.openApi;
    return body.answer(request, { 'Content-Type': JSON_TYPE });
  }
}

/** @throws {Rejection} PGRST117 for any method other than GET and HEAD */
function checkMethod({ method }: HttpRequest): void {
  if (method !== 'GET' && method !== 'HEAD') reject(methodNotAllowed(method, ALLOW));
}

const isCompact = ({ url }: HttpRequest): boolean => {
  const asked = new URLSearchParams(queryOf(url)).get('compact');
  return asked === '' || asked === 'true';
};
