import { followerAccess, migration } from '@practice/service';

export const Follower1795244400000 = migration('Follower1795244400000', followerAccess('scheduling'));
