// The payload of phx_join. As in Supabase's server, a member that is missing or malformed has its default.

export interface JoinConfig {
  /** The caller's token; undefined if the client sent none. */
  readonly accessToken: string | undefined;
  readonly broadcast: { readonly self: boolean; readonly ack: boolean; readonly replicationReady: boolean };
  /** Whether a refused subscription to changes refuses the join. */
  readonly waits: boolean;
  readonly presence: { readonly key: string; readonly enabled: boolean };
  /** As the client sent them: the reply repeats them. */
  readonly changes: readonly Readonly<Record<string, unknown>>[];
}

type Members = Readonly<Record<string, unknown>>;

/** Reads the payload of a join. */
export function readJoin(payload: unknown): JoinConfig {
  const { config, access_token: accessToken } = membersOf(payload);
  const { broadcast, presence, postgres_changes: changes, ...others } = membersOf(config);
  const { self, ack, replication_ready: replicationReady } = membersOf(broadcast);
  const { key, enabled } = membersOf(presence);
  return {
    accessToken: typeof accessToken === 'string' ? accessToken : undefined,
    broadcast: { self: isTrue(self), ack: isTrue(ack), replicationReady: isTrue(replicationReady) },
    waits: isTrue(membersOf(others['postgres_changes_options'])['wait']),
    presence: { key: typeof key === 'string' ? key : '', enabled: isTrue(enabled) },
    changes: Array.isArray(changes) ? changes.filter((each) => each !== null).map(membersOf) : [],
  };
}

/** The members of a JSON object; none for any other value. */
export const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};

const isTrue = (value: unknown): boolean => value === true || value === 'true';
