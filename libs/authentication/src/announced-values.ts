interface Known<Value> {
  readonly value: Value;
  /** The load after which it was heard. */
  readonly since: number;
}

interface Kind<Value> {
  readonly keyOf: (value: Value) => string;
  readonly isSame: (one: Value, other: Value) => boolean;
}

/** Values that are announced one by one and loaded all at once. Announcements may be lost; loads may be late. */
export class AnnouncedValues<Value> {
  private known = new Map<string, Known<Value>>();
  private loads = 0;

  constructor(private readonly kind: Kind<Value>) {}

  get(key: string): Value | undefined {
    return this.known.get(key)?.value;
  }

  /** All values that are known now. */
  get values(): Value[] {
    return [...this.known.values()].map(({ value }) => value);
  }

  /** An announcement. */
  hear(value: Value): void {
    this.known.set(this.kind.keyOf(value), { value, since: this.loads });
  }

  /**
   * To be called before the values are requested, and its result with the reply. Announcements from in between stay, as the
   * reply may be older.
   * @returns the values that are new, different, or gone
   */
  beginLoad(): (values: readonly Value[]) => Value[] {
    this.loads += 1;
    const begun = this.loads;
    return (values) => {
      const before = this.known;
      const loaded = values.map((value) => [this.kind.keyOf(value), { value, since: begun }] as const);
      const heard = [...before].filter(([, { since }]) => since >= begun);
      this.known = new Map([...loaded, ...heard]);
      const gone = [...before].filter(([key]) => !this.known.has(key)).map(([, { value }]) => value);
      return [...values.filter((value) => this.isNew(before, value)), ...gone];
    };
  }

  private isNew(before: ReadonlyMap<string, Known<Value>>, value: Value): boolean {
    const known = before.get(this.kind.keyOf(value));
    return known === undefined || !this.kind.isSame(known.value, value);
  }
}
