// The columns with the instants of a record, as data in its definition.

/**
 * The instants of a span of wall time in the zone of the practice. They are stored with the zone in which they were computed. A read
 * computes them again if the practice has another zone now. All members except `zoneOf` are names of columns.
 */
export interface Instants {
  readonly day: string;
  readonly from: string;
  readonly to: string;
  readonly start: string;
  readonly end: string;
  /** The zone in which the stored instants were computed. Internal. */
  readonly zone: string;
  /** The resource of the same service, and its column, that have the zone of the practice. */
  readonly zoneOf: { readonly resource: string; readonly column: string };
}
