import { schemaOf } from '@practice/core';

/** SQL for the marks of a service. */
export const marksOf = (service: string): string => `"${schemaOf(service)}".deletion_marks`;
