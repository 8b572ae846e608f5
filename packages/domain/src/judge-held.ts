import type { SodPolicyTable } from './sod-policy-table.ts';
import type { WidePolicies } from './wide-policies.ts';

/** The policies of a table that a set of held entitlements violates: their numbers, each once, in no order. */
export type JudgeHeld = (held: Uint32Array) => readonly number[];

/**
 * Judges what is held, of one identity after the other: each entitlement marks the sides that it is on, and whichever side of
 * a policy is marked last finds the other one marked. Serves one thread; the answer is valid until the next call.
 */
export function createJudgeHeld(table: SodPolicyTable): JudgeHeld {
  const { rivals } = table;
  // The call in which a side was marked last.
  const marks = new Uint32Array(table.levels.length * 2);
  const found: number[] = [];
  const judgeWide = table.wide === null ? null : createJudgeWide(table.wide, found);
  let call = 0;
  return (held) => {
    call = nextCall(call, marks);
    found.length = 0;
    const { starts, values } = rivals;
    for (let i = 0; i < held.length; i++) {
      const entitlement = held[i] ?? 0;
      const end = starts[entitlement + 1] ?? 0;
      for (let at = starts[entitlement] ?? 0; at < end; at++) {
        const rival = values[at] ?? 0;
        const side = rival ^ 1;
        if (marks[side] === call) continue;
        marks[side] = call;
        if (marks[rival] === call) found.push(rival >>> 1);
      }
    }
    judgeWide?.(held);
    return found;
  };
}

function createJudgeWide(wide: WidePolicies, found: number[]): (held: Uint32Array) => void {
  const { ownSides, places, atLeast, numbers } = wide;
  const marks = new Uint32Array(places.length);
  // The call in which a policy was met last, and how many of its sides are missing since.
  const met = new Uint32Array(numbers.length);
  const missing = new Uint8Array(numbers.length);
  let call = 0;
  return (held) => {
    call = nextCall(call, marks, met);
    const { starts, values } = ownSides;
    for (let i = 0; i < held.length; i++) {
      const entitlement = held[i] ?? 0;
      const end = starts[entitlement + 1] ?? 0;
      for (let at = starts[entitlement] ?? 0; at < end; at++) {
        const side = values[at] ?? 0;
        if (marks[side] === call) continue;
        marks[side] = call;
        const place = places[side] ?? 0;
        if (met[place] !== call) {
          met[place] = call;
          missing[place] = atLeast[place] ?? 0;
        }
        const left = (missing[place] ?? 0) - 1;
        // Sides beyond those that it takes come to 255 and below, never to 0 again: there are 10 at most.
        missing[place] = left;
        if (left === 0) found.push(numbers[place] ?? 0);
      }
    }
  };
}

const CALLS_MAX = 0xffff_ffff;

function nextCall(call: number, ...marked: readonly Uint32Array[]): number {
  if (call < CALLS_MAX) return call + 1;
  for (const marks of marked) marks.fill(0);
  return 1;
}
