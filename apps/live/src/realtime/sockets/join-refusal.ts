import { limits } from '../limits.js';
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
