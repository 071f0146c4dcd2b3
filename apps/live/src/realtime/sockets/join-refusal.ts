import type { Allowance } from '../allowance/allowance.js';
import { limits, practiceLimits } from '../limits.js';
import type { JoinConfig } from '../protocol/join.js';

/** A join before the caller is known. */
interface Attempt {
  readonly name: string;
  readonly config: JoinConfig;
  /** The other channels of the socket. */
  readonly others: number;
}

/** The reason to refuse a join of any caller; undefined without one. */
export function joinRefusal({ name, config, others }: Attempt): string | undefined {
  if (name.length > limits.channelName) return 'TopicNameTooLong: The name of the channel is too long';
  if (others >= limits.channels) return 'ChannelRateLimitReached: Too many channels';
  if (config.changes.length > limits.subscriptions)
    return 'InvalidJoinPayload: Too many subscriptions to changes';
  if (config.presence.key.length > limits.presenceKey)
    return 'InvalidJoinPayload: The presence key is too long';
  return undefined;
}

/** The share of a channel in the allowance of its practice. */
export interface Taken {
  /** The member, if the socket does not count for the member yet. */
  readonly member: string | undefined;
  readonly subscriptionBytes: number;
}

/** The reason to refuse a join because of everything else that the practice has joined; undefined without one. */
export function practiceRefusal(
  allowance: Allowance,
  { member, subscriptionBytes }: Taken,
): string | undefined {
  if (member !== undefined && !allowance.hasRoomFor(member))
    return 'ConnectionRateLimitReached: Too many connected users';
  if (!allowance.joins.take(1)) return 'ClientJoinRateLimitReached: Too many joins per second';
  if (allowance.channels >= practiceLimits.channels)
    return 'ChannelRateLimitReached: Too many channels in the practice';
  if (allowance.subscriptionBytes + subscriptionBytes > practiceLimits.subscriptionBytes)
    return 'ChannelRateLimitReached: Too many subscriptions to changes in the practice';
  return undefined;
}
