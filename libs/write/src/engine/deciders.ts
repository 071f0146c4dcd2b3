import { deciderOf, type Decider, type Resource, type Unique } from '@practice/resource';

/** The deciders of a service by resource; a resource without a decider has no rules of its own. */
export class Deciders {
  private readonly byResource: ReadonlyMap<string, Decider>;

  constructor(resources: readonly Resource[], named: readonly Decider[]) {
    const given = new Map(named.map((decider) => [decider.definition.name, decider]));
    for (const { definition, enforces = [], dependents } of named) {
      for (const key of enforces)
        if (!keysOf(definition).includes(key)) throw new Error(`${definition.name} has no key ${key}`);
      // The gateway waits longer for writes with dependent commands, and knows only the definition.
      if (dependents !== undefined && definition.mostDependents === undefined)
        throw new Error(`${definition.name} has no mostDependents`);
    }
    this.byResource = new Map(
      resources.map((resource) => [resource.name, given.get(resource.name) ?? deciderOf(resource)]),
    );
  }

  /** Whether only the database enforces a unique key or an exclusion of a resource. */
  leavesKeysToDatabase(resource: Resource): boolean {
    const { enforces = [] } = this.of(resource);
    return keysOf(resource, ({ isDecided }) => isDecided !== true).some((key) => !enforces.includes(key));
  }

  /** Whether commands to records of a resource may have dependent commands. */
  mayHaveDependents(resource: Resource): boolean {
    return this.of(resource).dependents !== undefined;
  }

  of({ name }: Resource): Decider {
    const decider = this.byResource.get(name);
    if (decider === undefined) throw new Error(`${name} is not decided here`);
    return decider;
  }
}

const keysOf = (
  { uniques = [], exclusions = [] }: Resource,
  among: (unique: Unique) => boolean = () => true,
): string[] => [...uniques.filter(among), ...exclusions].map(({ name }) => name);
