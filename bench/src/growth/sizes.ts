/** Along which sizes the cost is followed, and how much is asked at each. */
export interface GrowthSizes {
  readonly practices: readonly number[];
  readonly appointmentsEach: number;
  readonly clientsEach: number;
  /** In one practice, beside all the others. */
  readonly appointments: readonly number[];
  /** Clients of that one practice. */
  readonly clients: number;
  /** Requests of each kind, one after the other. */
  readonly requests: number;
}

export const fullGrowth: GrowthSizes = {
  practices: [10, 100, 1_000, 10_000],
  appointmentsEach: 16,
  clientsEach: 5,
  appointments: [500, 5_000, 50_000],
  clients: 200,
  requests: 200,
};

export const quickGrowth: GrowthSizes = {
  ...fullGrowth,
  practices: [10, 50],
  appointments: [500, 1_000],
  requests: 20,
};
