import { describe, expect, it } from '@jest/globals';
import { LagEstimate } from './lag-estimate.js';

const second = (n: number): number => n * 1000;

describe('the lag of a subscription', () => {
  it('is 0 while every event is handled', () => {
    const lag = new LagEstimate();
    expect(lag.seconds({ handled: 7, last: 7 }, second(0))).toBe(0);
    expect(lag.seconds({ handled: 9, last: 9 }, second(15))).toBe(0);
  });

  it('grows while an event is not handled, also when the stream gets new events', () => {
    const lag = new LagEstimate();
    lag.seconds({ handled: 7, last: 8 }, second(0));
    expect(lag.seconds({ handled: 7, last: 20 }, second(15))).toBe(15);
    expect(lag.seconds({ handled: 7, last: 20 }, second(30))).toBe(30);
  });

  it('is 0 again if everything of a new stream with fewer messages is handled', () => {
    const lag = new LagEstimate();
    lag.seconds({ handled: 7, last: 20 }, second(0));
    expect(lag.seconds({ handled: 3, last: 3 }, second(15))).toBe(0);
  });

  it('is the lag of the oldest unhandled event when others were handled', () => {
    const lag = new LagEstimate();
    lag.seconds({ handled: 7, last: 8 }, second(0));
    lag.seconds({ handled: 7, last: 20 }, second(15));
    expect(lag.seconds({ handled: 8, last: 20 }, second(30))).toBe(15);
    expect(lag.seconds({ handled: 20, last: 20 }, second(45))).toBe(0);
  });
});
