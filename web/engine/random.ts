/** Random numbers from a seed: equal seeds give equal runs, in every browser. */

/** A generator's state, which can be copied, sent to a worker and kept in an address. */
export type RandomState = [number, number, number, number];

/** sfc32, a small fast generator that passes the usual batteries of tests. */
export class Random {
  private readonly state: RandomState;

  constructor(seed: number | RandomState) {
    if (typeof seed === "number") {
      const low = seed >>> 0;
      this.state = [0x9e3779b9 ^ low, 0x243f6a88 ^ Math.floor(seed / 2 ** 32), 0xb7e15162, 1];
      for (let i = 0; i < 20; i++) this.bits();
    } else {
      this.state = [...seed];
    }
  }

  /** A copy of the state; `new Random(state)` goes on from it. */
  save(): RandomState {
    return [...this.state];
  }

  /** A generator for something else that is drawn from this run, as its agents' weights. */
  spawn(): Random {
    return new Random([this.bits() | 0, this.bits() | 0, this.bits() | 0, this.bits() | 0]);
  }

  /** 32 random bits as an integer from 0. */
  bits(): number {
    const s = this.state;
    const sum = (((s[0] + s[1]) | 0) + s[3]) | 0;
    s[3] = (s[3] + 1) | 0;
    s[0] = s[1] ^ (s[1] >>> 9);
    s[1] = (s[2] + (s[2] << 3)) | 0;
    s[2] = (((s[2] << 21) | (s[2] >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** Uniform in [0, 1), 53 bits. */
  next(): number {
    return ((this.bits() >>> 5) * 67108864 + (this.bits() >>> 6)) / 9007199254740992;
  }

  /** A uniform integer from 0 to bound - 1. */
  below(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  /** Standard normal, by Box and Muller. */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next());
  }
}
