import type { Decider, Resource } from '@practice/resource';
import { recordDecider } from './record.js';

/** The deciders of a service by resource; a resource that names none has no rules of its own. */
export class Deciders {
  private readonly byResource: ReadonlyMap<string, Decider>;

  constructor(resources: readonly Resource[], named: readonly Decider[]) {
    this.byResource = new Map([
      ...resources.map((resource) => [resource.name, recordDecider(resource)] as const),
      ...named.map((decider) => [decider.definition.name, decider] as const),
    ]);
  }

  of({ name }: Resource): Decider {
    const decider = this.byResource.get(name);
    if (decider === undefined) throw new Error(`${name} is not decided here`);
    return decider;
  }
}
