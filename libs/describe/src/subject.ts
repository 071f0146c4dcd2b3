import type { Catalog } from '@practice/resource';

/** What is described. */
export interface Subject {
  readonly catalog: Catalog;
  /** Of the product. */
  readonly version: string;
  /** How callers reach the API, without a slash at the end. */
  readonly baseUrl: string;
}

export const TITLE = 'Practice API';

/** Where the records are, below the base URL. */
export const REST = '/rest/v1';
