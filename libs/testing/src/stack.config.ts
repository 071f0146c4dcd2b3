import { joinStack, type Coordinates, type JoinedStack } from '@practice/dev';

/**
 * The running system that the integration and end-to-end specs share: real Postgres, real NATS, every process.
 * Specs do not disturb each other: each signs up practices of its own.
 */
export function stack(): JoinedStack {
  const coordinates = process.env['PRACTICE_STACK'];
  if (coordinates === undefined)
    throw new Error('There is no stack here: name this spec *.int.spec.ts or *.e2e.spec.ts.');
  return joinStack(JSON.parse(coordinates) as Coordinates);
}
