/** Wakes the deliveries of this process. */
export class Bell {
  private listener: () => void = () => undefined;

  ring(): void {
    this.listener();
  }

  onRing(listener: () => void): void {
    this.listener = listener;
  }
}
