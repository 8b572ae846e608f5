/** Whether a value is a JSON object: neither null nor an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is an array. */
export function isArray(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** A deep copy of a JSON value. Its objects get the given prototype; `__proto__` is an ordinary member. */
export function copyJson(value: unknown, prototype: object | null): unknown {
  if (isArray(value)) return value.map((item) => copyJson(item, prototype));
  if (!isObject(value)) return value;
  const copy: object = Object.create(prototype);
  for (const key of Object.keys(value)) {
    const member = copyJson(value[key], prototype);
    Object.defineProperty(copy, key, { value: member, configurable: true, enumerable: true, writable: true });
  }
  return copy;
}

/** Equality as defined by RFC 6902 (section 4.6): the order of members is ignored, the order of items is not. */
export function equalJson(left: unknown, right: unknown): boolean {
  if (isArray(left) && isArray(right)) {
    return left.length === right.length && left.every((item, index) => equalJson(item, right[index]));
  }
  if (!isObject(left) || !isObject(right)) return left === right;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && equalJson(left[key], right[key]))
  );
}

/** The number of values in a JSON value, including itself. Stops counting at `max + 1`. */
export function countNodes(value: unknown, max: number): number {
  let count = 1;
  if (!isObject(value) && !isArray(value)) return count;
  for (const child of Object.values(value)) {
    if (count > max) break;
    count += countNodes(child, max - count);
  }
  return count;
}

/** Whether arrays and objects nest deeper than a number of levels. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (!isObject(value) && !isArray(value)) return false;
  return levels === 0 || Object.values(value).some((child) => isDeeperThan(child, levels - 1));
}
