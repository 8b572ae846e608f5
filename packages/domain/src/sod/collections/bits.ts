/** Sets the bits of some numbers less than `end`: bit `number % 32` of word `number / 32`. */
export function bitsOf(numbers: Uint16Array | Uint32Array, end: number): Uint32Array {
  const words = new Uint32Array((end >>> 5) + 1);
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at] ?? 0;
    words[number >>> 5] = (words[number >>> 5] ?? 0) | (1 << (number & 31));
  }
  return words;
}
