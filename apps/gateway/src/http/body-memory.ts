/** Counts the bytes of bodies in memory, so that callers together and each of them take only so much. */
export class BodyMemory {
  private taken = 0;
  private readonly takenBy = new Map<string, number>();

  /**
   * @param most bytes of all callers
   * @param mostEach bytes of one caller
   */
  constructor(
    private readonly most: number,
    private readonly mostEach: number,
  ) {}

  /** Whether there is room for that many bytes of a caller; they count until `free`. */
  take(caller: string, bytes: number): boolean {
    const own = (this.takenBy.get(caller) ?? 0) + bytes;
    if (own > this.mostEach || this.taken + bytes > this.most) return false;
    this.taken += bytes;
    this.takenBy.set(caller, own);
    return true;
  }

  free(caller: string, bytes: number): void {
    this.taken -= bytes;
    const own = (this.takenBy.get(caller) ?? 0) - bytes;
    if (own > 0) this.takenBy.set(caller, own);
    else this.takenBy.delete(caller);
  }
}
