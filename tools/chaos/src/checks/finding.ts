/** A difference between the answers that callers got and the data. */
export interface Finding {
  readonly kind: 'lost' | 'doubled' | 'inconsistent';
  readonly what: string;
}

export const finding =
  (kind: Finding['kind']) =>
  (what: string): Finding => ({ kind, what });
