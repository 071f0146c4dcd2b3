import { functionsOf } from '@practice/contracts';
import { checkedArguments, type FunctionDefinition } from '@practice/resource';
import type { Resumable } from '../engine/group/resumable.js';
import { handledBy } from './function-handler.js';
import type { DecidingCall, FunctionCall, FunctionDecision, WritingCall } from './function-handler.js';
import { checkPermission } from './permission.js';

/** A handler whose function is not known at compile time. */
type AnyHandler = CallHandler | AnyDecidingHandler;

export interface CallHandler {
  before?(args: object, call: FunctionCall): Promise<void>;
  otherPractices?(args: object, call: FunctionCall): Promise<readonly string[]> | readonly string[];
  call(args: object, call: FunctionCall | WritingCall): unknown;
}

export interface AnyDecidingHandler {
  decide(args: object, call: DecidingCall): Resumable<FunctionDecision<unknown>>;
}

/** A function with the handler that carries it out. */
export interface OwnFunction {
  readonly definition: FunctionDefinition;
  readonly handler: AnyHandler;
}

/** The functions of a service. */
export class Functions {
  private readonly byName: ReadonlyMap<string, OwnFunction>;

  /** @throws {Error} when a function of the service has no handler, or a handler has a function of another service */
  constructor(service: string, handlers: readonly object[]) {
    const own = functionsOf(service);
    this.byName = new Map(
      handlers.map((handler) => {
        const definition = handledBy(handler.constructor);
        if (definition === undefined || !own.includes(definition))
          throw new Error(`${service} has a handler for ${definition?.name}, which it does not own`);
        return [definition.name, { definition, handler: handler as AnyHandler }];
      }),
    );
    const missing = own.find(({ name }) => !this.byName.has(name));
    if (missing !== undefined) throw new Error(`${service} has no handler for ${missing.name}`);
  }

  /**
   * The handler of a call, and its arguments.
   * @throws {Rejection} when the caller may not call the function, or for arguments that it does not take
   */
  admit(
    definition: FunctionDefinition,
    given: Readonly<Record<string, unknown>>,
    { caller, takesBack }: Pick<FunctionCall, 'caller' | 'takesBack'>,
  ) {
    if (takesBack === undefined) checkPermission(definition, caller);
    return { handler: this.get(definition.name).handler, args: checkedArguments(definition, given) };
  }

  /** @throws {Error} when the service has no function of this name */
  get(name: string): OwnFunction {
    const found = this.byName.get(name);
    if (found === undefined) throw new Error(`there is no function ${name} here`);
    return found;
  }
}
