import type { GatewayMember, GlassBroken } from '@practice/contracts';
import type { Identity } from '@practice/core';

interface Known<Value> {
  readonly value: Value;
  /** The number of the load that had the value, or of the last load that had begun when the value was announced. */
  readonly since: number;
}

interface Kind<Value> {
  readonly keyOf: (value: Value) => string;
  readonly isSame: (one: Value, other: Value) => boolean;
}

/** Values that are announced one by one and loaded all at once. Announcements may be lost, and loads may be out of date. */
class AnnouncedValues<Value> {
  private known = new Map<string, Known<Value>>();
  private loads = 0;

  constructor(private readonly kind: Kind<Value>) {}

  get(key: string): Value | undefined {
    return this.known.get(key)?.value;
  }

  /** All known values. */
  get values(): Value[] {
    return [...this.known.values()].map(({ value }) => value);
  }

  /** Stores an announced value. */
  hear(value: Value): void {
    this.known.set(this.kind.keyOf(value), { value, since: this.loads });
  }

  /**
   * Call this before the values are requested, and call its result with the reply. Announcements from in between are kept, because
   * the reply may be older.
   * @returns a function that returns the values that are new, different, or no longer there
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

/** The break-glass accesses of sessions, as the identity service announces them. */
export class BrokenGlass extends AnnouncedValues<GlassBroken> {
  constructor() {
    super({ keyOf: ({ sessionId }) => sessionId, isSame: (one, other) => one.id === other.id });
  }

  /** Ends the accesses of a member whose role has changed. They are stored as ended, so that a running load does not restore them. */
  end({ userId, therapistId }: Pick<GlassBroken, 'userId' | 'therapistId'>): void {
    for (const access of this.values)
      if (access.userId === userId && access.therapistId === therapistId) this.hear({ ...access, until: 0 });
  }

  /**
   * The identity with the break-glass access of its session; undefined if the session has none in this practice, or the member's
   * role has changed. `asReader` decides at each read whether the access has ended.
   */
  readerOf(identity: Identity): Identity | undefined {
    const access = this.get(identity.sessionId ?? '');
    if (access === undefined) return undefined;
    const { id, until, therapistId, role } = access;
    const isOf = therapistId === identity.therapistId && role === identity.practiceRole;
    return isOf ? { ...identity, breakGlass: { id, until } } : undefined;
  }
}

type Member = Pick<GatewayMember, 'userId' | 'therapistId'>;

/** The members whose role or second-factor requirement has changed since tokens were issued. It overrides the claims of a token. */
export class ChangedMembers extends AnnouncedValues<GatewayMember> {
  constructor() {
    const isSame = (one: GatewayMember, other: GatewayMember): boolean =>
      one.role === other.role && (one.requiresMfa ?? false) === (other.requiresMfa ?? false);
    super({ keyOf, isSame });
  }

  /**
   * Stores an announced change of a member.
   * @returns whether the change is certainly the member's latest one. False if a change was already known, because processes may
   *   announce two changes in a different order from the one in which they made them
   */
  override hear(member: GatewayMember): boolean {
    const isFirst = this.get(keyOf(member)) === undefined;
    super.hear({ ...member, requiresMfa: member.requiresMfa ?? this.requiresMfa(member) });
    return isFirst;
  }

  /** The identity with the member's present role; undefined when the person is no longer a member of the practice. */
  current(identity: Identity): Identity | undefined {
    const { role } = this.get(keyOf(identity)) ?? {};
    if (role === undefined || role === identity.practiceRole) return identity;
    return role === null ? undefined : { ...identity, practiceRole: role };
  }

  /** Whether the practice has begun to require a second factor. */
  requiresMfa(member: Member): boolean {
    return this.get(keyOf(member))?.requiresMfa === true;
  }
}

const keyOf = ({ userId, therapistId }: Member): string => `${userId} ${therapistId}`;
