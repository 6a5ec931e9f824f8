/**
 * The least leaves of every number, without the order of discovery: a level of numbers is a set of bits, and the sums of
 * a phrase with a whole level are one shift of it. Many times as fast as the search that expressions need.
 */

/** Room for a search, kept from one to the next: thousands follow one another in a run. */
class Room {
  readonly limit: number;
  /** Words of 32 bits in a set. */
  readonly width: number;
  /** Bits of 1..limit. */
  readonly mask: Int32Array;
  readonly numbers: Int32Array[] = [];
  readonly mirrored: Int32Array[] = [];
  readonly phrases: number[][] = [];
  readonly found: Int32Array;
  readonly isPhrase: Uint8Array;

  constructor(limit: number) {
    this.limit = limit;
    this.width = (limit >> 5) + 1;
    this.mask = new Int32Array(this.width);
    for (let value = 1; value <= limit; value++) this.mask[value >> 5] |= 1 << (value & 31);
    this.found = new Int32Array(this.width);
    this.isPhrase = new Uint8Array(limit + 1);
  }

  /** Empties level k and returns its numbers. */
  level(k: number): Int32Array {
    if (this.numbers.length > k) {
      this.numbers[k].fill(0);
      this.mirrored[k].fill(0);
      this.phrases[k].length = 0;
    } else {
      while (this.numbers.length <= k) {
        this.numbers.push(new Int32Array(this.width));
        this.mirrored.push(new Int32Array(this.width));
        this.phrases.push([]);
      }
    }
    return this.numbers[k];
  }
}

const rooms = new Map<number, Room>();

function roomFor(limit: number): Room {
  let room = rooms.get(limit);
  if (!room) {
    room = new Room(limit);
    rooms.set(limit, room);
  }
  room.found.fill(0);
  room.isPhrase.fill(0);
  return room;
}

/** The least leaves of 1..upto, at the number's own index; 0 for numbers that cannot be said. */
export function leastLeaves(
  digits: readonly number[],
  multipliers: readonly number[],
  bare: boolean,
  upto: number,
): Uint8Array | Uint16Array {
  const limit = 2 * upto + 2;
  const room = roomFor(limit);
  const leaves = upto < 128 ? new Uint8Array(upto + 1) : new Uint16Array(upto + 1);
  room.level(0);
  const words = room.level(1);
  for (const digit of digits) insert(words, digit);
  for (const multiplier of bare ? multipliers : []) {
    insert(words, multiplier);
    room.phrases[1].push(multiplier);
    room.isPhrase[multiplier] = 1;
  }
  let uncovered = upto - settle(room, 1, leaves);
  let level = 1;
  for (let lastNew = 1; uncovered > 0 && level < 2 * lastNew; ) {
    level++;
    const target = room.level(level);
    multiply(room, level, multipliers, target);
    for (let x = 1; x < level; x++) {
      addAndSubtract(target, room.phrases[x], room.numbers[level - x], room.mirrored[level - x], limit);
    }
    uncovered -= settle(room, level, leaves);
    if (room.phrases[level].length || target.some((bits) => bits !== 0)) lastNew = level;
  }
  return leaves;
}

function insert(set: Int32Array, value: number): void {
  set[value >> 5] |= 1 << (value & 31);
}

/** The products of the numbers of the level before. */
function multiply(room: Room, level: number, multipliers: readonly number[], target: Int32Array): void {
  const phrases = room.phrases[level];
  const numbers = room.numbers[level - 1];
  for (let w = 0; w < room.width; w++) {
    for (let bits = numbers[w]; bits !== 0; bits &= bits - 1) {
      const number = 32 * w + 31 - Math.clz32(bits & -bits);
      for (const multiplier of multipliers) {
        const value = number * multiplier;
        if (value > room.limit) break; // they ascend
        if (room.isPhrase[value]) continue;
        room.isPhrase[value] = 1;
        phrases.push(value);
        insert(target, value);
      }
    }
  }
}

/** Takes from a level what was known before, notes the leaves of the rest; returns how many lie in the range. */
function settle(room: Room, level: number, leaves: Uint8Array | Uint16Array): number {
  const { found, mask, width, limit } = room;
  const numbers = room.numbers[level];
  const mirrored = room.mirrored[level];
  let count = 0;
  for (let w = 0; w < width; w++) {
    numbers[w] &= mask[w] & ~found[w];
    found[w] |= numbers[w];
    for (let bits = numbers[w]; bits !== 0; bits &= bits - 1) {
      const value = 32 * w + 31 - Math.clz32(bits & -bits);
      insert(mirrored, limit - value);
      if (value < leaves.length) {
        leaves[value] = level;
        count++;
      }
    }
  }
  return count;
}

/** target |= phrase + n and phrase - n, for each phrase and all numbers n of a level at once. */
function addAndSubtract(
  target: Int32Array,
  phrases: readonly number[],
  numbers: Int32Array,
  mirrored: Int32Array,
  limit: number,
): void {
  const width = target.length;
  for (let i = 0; i < phrases.length; i++) {
    // A shift by 32 bits is none in JavaScript: hence two of them, by 31 - s and by 1.
    const up = phrases[i] >> 5;
    const s = phrases[i] & 31;
    target[up] |= numbers[0] << s;
    for (let w = up + 1; w < width; w++) {
      target[w] |= (numbers[w - up] << s) | ((numbers[w - up - 1] >>> (31 - s)) >>> 1);
    }
    const down = (limit - phrases[i]) >> 5;
    const t = (limit - phrases[i]) & 31;
    for (let w = width - 2 - down; w >= 0; w--) {
      target[w] |= (mirrored[w + down] >>> t) | ((mirrored[w + down + 1] << (31 - t)) << 1);
    }
    target[width - 1 - down] |= mirrored[width - 1] >>> t;
  }
}
