// The stages that Nest runs before every route, in this order.

import { type CanActivate, type ExecutionContext, Injectable, type Provider } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import { ACCESS_TOKEN, Authentication, type Verified, verifiedBy } from '@practice/authentication';
import { Bodies } from './http/bodies.js';
import { InFlight } from './http/capacity.js';
import { endpointOf } from './http/endpoint.js';
import type { Authenticated, HttpRequest } from './http/request.js';
import { Limits } from './limits/limits.js';
import { admit, authenticate, type Capacity } from './pipeline.js';

@Injectable()
export class AuthenticationGuard extends AuthGuard(ACCESS_TOKEN) {
  override readonly handleRequest = verifiedBy;

  constructor(private readonly authentication: Authentication) {
    super();
  }

  /** Returns a value if it can, because a promise costs more. */
  override canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = context.getArgByIndex<HttpRequest>(0);
    const byStrategy = async (): Promise<Verified> => {
      await super.canActivate(context);
      return request.user as Verified;
    };
    const access = { endpoint: endpointOf(context.getHandler()), byStrategy };
    const authenticated = authenticate(request.stage, access, this.authentication);
    return authenticated instanceof Promise ? authenticated.then(() => true) : true;
  }
}

@Injectable()
export class AdmissionGuard implements CanActivate, Capacity {
  constructor(
    readonly limits: Limits,
    readonly bodies: Bodies,
    readonly inFlight: InFlight,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { stage } = context.getArgByIndex<HttpRequest>(0);
    await admit(stage as Authenticated, endpointOf(context.getHandler()), this);
    return true;
  }
}

export const guards: readonly Provider[] = [AuthenticationGuard, AdmissionGuard].map((useClass) => ({
  provide: APP_GUARD,
  useClass,
}));
