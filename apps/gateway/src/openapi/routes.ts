// Which calls the gateway answers, read from its controllers: the description cannot name another.

import 'reflect-metadata';
import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import type { Type } from '@nestjs/common';
import type { Call } from '@practice/describe';
import { endpointOf } from '../http/endpoint.js';
import type { AccessLevel } from '@practice/contracts';

export interface Route extends Omit<Call, 'operation'> {
  /** Undefined for a route that is not described. */
  readonly operation: Call['operation'] | undefined;
}

/** The routes of controllers, without routes that take every method: their handlers decide by more than the path. */
export function routesOf(controllers: readonly Type[]): Route[] {
  return controllers.flatMap((controller) => {
    const base = String(Reflect.getMetadata(PATH_METADATA, controller));
    const prototype = controller.prototype as Record<string, object>;
    return Object.getOwnPropertyNames(prototype)
      .map((name) => prototype[name] as object)
      .filter((handler) => Reflect.hasMetadata(METHOD_METADATA, handler))
      .flatMap((handler) => routesOfHandler(base, handler));
  });
}

function routesOfHandler(base: string, handler: object): Route[] {
  const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod;
  if (method === RequestMethod.ALL) return [];
  const { access, operation } = endpointOf(handler);
  const paths = [Reflect.getMetadata(PATH_METADATA, handler) as string | string[]].flat();
  // A path with and without a slash at its end is one.
  return [...new Set(paths.map((path) => openApiPath(base, path)))].map((path) => ({
    method: RequestMethod[method].toLowerCase(),
    path,
    access: shownTo(access),
    operation,
  }));
}

/** The description does not distinguish kinds of users: a token identifies each of them. */
const shownTo = (level: AccessLevel): Route['access'] =>
  level === 'open' || level === 'key' ? level : 'user';

/** `auth/v1` and `tokens/:id` as OpenAPI spells them: `/auth/v1/tokens/{id}`. */
const openApiPath = (base: string, path: string): string =>
  `/${[base, path]
    .map((part) => part.replace(/^\/+|\/+$/g, ''))
    .filter(Boolean)
    .join('/')}`.replace(/:(\w+)/g, '{$1}');
