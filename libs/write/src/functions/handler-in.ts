import { Inject, type Type } from '@nestjs/common';
import type { FunctionDefinition } from '@practice/resource';
import { Handles, type FunctionHandler } from './function-handler.js';

/** The handler of a function that a method of a provider carries out: several functions share one class. */
export function handlerIn<F extends FunctionDefinition, Method extends string>(
  definition: F,
  provider: Type<Readonly<Record<Method, FunctionHandler<F>['call']>>>,
  method: Method,
): Type<FunctionHandler<F>> {
  class Handler implements FunctionHandler<F> {
    readonly call: FunctionHandler<F>['call'];
    constructor(provided: Readonly<Record<Method, FunctionHandler<F>['call']>>) {
      this.call = (args, call) => provided[method](args, call);
    }
  }
  Inject(provider)(Handler, undefined, 0);
  Handles(definition)(Handler);
  return Handler;
}
