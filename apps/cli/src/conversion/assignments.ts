import type { TimedAccessRef } from '@access-admin/domain';

/** When an assignment holds: ISO 8601, either may be missing. */
export interface Window {
  readonly start?: string;
  readonly end?: string;
}

/**
 * The assignments of many people, as numbers: of people, of refs, and of windows, which few assignments have of their own. Takes twelve
 * bytes an assignment, in any order.
 */
export interface Assignments {
  /** The number of a ref, which is the same for the same ref. */
  refNumber(ref: TimedAccessRef): number;
  add(person: number, ref: number, window: Window): void;
  readonly length: number;
  /** Sorts by people: afterwards nothing can be added. Returns what a person holds, each once. */
  finish(people: number): (person: number) => readonly TimedAccessRef[];
}

const BLOCK = 64 * 1024;

/** Creates an empty list. */
export function createAssignments(): Assignments {
  const refs: TimedAccessRef[] = [];
  const refNumbers = new Map<string, number>();
  const windows: Window[] = [{}];
  const windowNumbers = new Map<string, number>([['|', 0]]);
  // Of each assignment: person, ref, window. In blocks, as one array that grows would be in memory twice.
  const blocks: Uint32Array[] = [];
  let length = 0;
  const part = (each: number, offset: 0 | 1 | 2): number =>
    blocks[Math.floor(each / BLOCK)]?.[(each % BLOCK) * 3 + offset] ?? 0;
  const windowNumber = (window: Window): number => {
    const key = `${window.start ?? ''}|${window.end ?? ''}`;
    const known = windowNumbers.get(key);
    if (known !== undefined) return known;
    windows.push(window);
    windowNumbers.set(key, windows.length - 1);
    return windows.length - 1;
  };
  return {
    get length() {
      return length;
    },
    refNumber: ({ type, id }) => {
      const key = `${type}:${id}`;
      const known = refNumbers.get(key);
      if (known !== undefined) return known;
      refs.push({ type, id });
      refNumbers.set(key, refs.length - 1);
      return refs.length - 1;
    },
    add: (person, ref, window) => {
      if (length % BLOCK === 0) blocks.push(new Uint32Array(BLOCK * 3));
      const block = blocks.at(-1);
      block?.set([person, ref, windowNumber(window)], (length % BLOCK) * 3);
      length++;
    },
    finish: (people) => {
      const starts = new Uint32Array(people + 1);
      for (let each = 0; each < length; each++) {
        const person = part(each, 0) + 1;
        starts[person] = (starts[person] ?? 0) + 1;
      }
      for (let person = 0; person < people; person++)
        starts[person + 1] = (starts[person + 1] ?? 0) + (starts[person] ?? 0);
      const order = new Uint32Array(length);
      const next = starts.slice();
      for (let each = 0; each < length; each++) {
        const person = part(each, 0);
        const place = next[person] ?? 0;
        order[place] = each;
        next[person] = place + 1;
      }
      return (person) => {
        const held = new Map<string, TimedAccessRef>();
        for (let place = starts[person] ?? 0; place < (starts[person + 1] ?? 0); place++) {
          const each = order[place] ?? 0;
          const ref = refs[part(each, 1)];
          const window = part(each, 2);
          if (ref !== undefined) held.set(`${part(each, 1)} ${window}`, { ...ref, ...windows[window] });
        }
        return [...held.values()];
      };
    },
  };
}
