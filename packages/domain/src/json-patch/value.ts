/** Whether a value is an object in the sense of JSON: neither null nor an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is an array. */
export function isArray(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** A deep copy of a JSON value. Its objects get the given prototype; `__proto__` is a member like any other. */
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

/** Equality as RFC 6902 (section 4.6) defines it: the order of members does not count, that of items does. */
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

/** How many values a JSON value consists of, itself included. Counts no further than one more than `max`. */
export function countNodes(value: unknown, max: number): number {
  let count = 1;
  if (!isObject(value) && !isArray(value)) return count;
  for (const child of Object.values(value)) {
    if (count > max) break;
    count += countNodes(child, max - count);
  }
  return count;
}

/** Whether arrays and objects are nested in more than the given number of levels. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (!isObject(value) && !isArray(value)) return false;
  return levels === 0 || Object.values(value).some((child) => isDeeperThan(child, levels - 1));
}
