import { migration, mirrorTable } from '@practice/service';

export const Mirror1795222800000 = migration('Mirror1795222800000', mirrorTable('scheduling'));
