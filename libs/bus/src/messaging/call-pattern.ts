import { MessagePattern } from '@nestjs/microservices';
import { CALL } from './subjects.js';

/** The patterns under which the handler of a call may be registered. */
export const callPatterns = {
  identified: (op: string): string => `${CALL} ${op}`,
  open: (op: string): string => `open ${CALL} ${op}`,
};

/**
 * Marks the handler of an operation that clients call through a gateway. Its envelope has the caller's verified identity.
 * Handlers of requests between services use Nest's `MessagePattern`.
 */
export const CallPattern = (op: string): MethodDecorator => MessagePattern(callPatterns.identified(op));

/** Marks the handler of an operation that clients may also call without an identity. */
export const OpenCallPattern = (op: string): MethodDecorator => MessagePattern(callPatterns.open(op));
