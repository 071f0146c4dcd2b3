import type { GatewayMember, GlassBroken } from '@practice/contracts';
import type { Identity } from '@practice/core';

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
class AnnouncedValues<Value> {
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

/** The break-glass accesses of sessions, as the identity service announces them. */
export class BrokenGlass extends AnnouncedValues<GlassBroken> {
  constructor() {
    super({ keyOf: ({ sessionId }) => sessionId, isSame: (one, other) => one.id === other.id });
  }

  /** The role of a member has changed. Heard as an ended access, so that a load under way does not bring it back. */
  end({ userId, therapistId }: Pick<GlassBroken, 'userId' | 'therapistId'>): void {
    for (const access of this.values)
      if (access.userId === userId && access.therapistId === therapistId) this.hear({ ...access, until: 0 });
  }

  /**
   * The identity with the break-glass access of its session, if it has one in this practice and the member still has the same
   * role. Whether the access has ended is decided at each read, by `asReader`.
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

/** The standings that have changed since tokens were issued: they count, and not the claims of the token. */
export class ChangedMembers extends AnnouncedValues<GatewayMember> {
  constructor() {
    const isSame = (one: GatewayMember, other: GatewayMember): boolean =>
      one.role === other.role && (one.requiresMfa ?? false) === (other.requiresMfa ?? false);
    super({ keyOf, isSame });
  }

  /**
   * An announcement.
   * @returns whether it is certainly the latest of the member: another one was known, and processes may announce two changes in
   *   the other order than they made them
   */
  override hear(member: GatewayMember): boolean {
    const isFirst = this.get(keyOf(member)) === undefined;
    super.hear({ ...member, requiresMfa: member.requiresMfa ?? this.requiresMfa(member) });
    return isFirst;
  }

  /** The identity with the role of now; undefined when the person is no longer a member of the practice. */
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
