/** Moves numbers to a longer array. */
export function growInto<T extends Uint8Array | Uint16Array | Uint32Array | Float64Array>(numbers: T, longer: T): T {
  longer.set(numbers);
  return longer;
}
