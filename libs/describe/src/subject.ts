import type { Catalog } from '@practice/resource';

/** The API to describe. */
export interface Subject {
  readonly catalog: Catalog;
  /** The product's version. */
  readonly version: string;
  /** The API's base URL without a slash at the end. */
  readonly baseUrl: string;
}

export const TITLE = 'Practice API';

/** The path of the resources below the base URL. */
export const REST = '/rest/v1';
