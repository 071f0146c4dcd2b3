import type { Catalog, FunctionDefinition, Resource } from '@practice/resource';

/** The API to describe. */
export interface Subject {
  readonly catalog: Catalog;
  readonly functions: readonly FunctionDefinition[];
  /** The product's version. */
  readonly version: string;
  /** The API's base URL without a slash at the end. */
  readonly baseUrl: string;
}

export const TITLE = 'Practice API';

/** The path of the resources below the base URL. */
export const REST = '/rest/v1';

/** The name under which a document describes the records of a resource. All histories have the same columns. */
export const componentOf = ({ name, historyOf }: Resource): string =>
  historyOf === undefined ? name : 'history';
