import { Injectable } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { Authentication } from '@practice/authentication';
import { accessOf } from '../http/access.js';
import type { HttpRequest } from '../http/request.js';

/** Checks the API key of every route, except routes that are open. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(private readonly authentication: Authentication) {}

  canActivate(context: ExecutionContext): boolean {
    if (accessOf(context.getHandler()) === 'open') return true;
    const { headers, raw } = context.getArgByIndex<HttpRequest>(0);
    this.authentication.requireApiKey(headers, raw.url ?? '');
    return true;
  }
}
