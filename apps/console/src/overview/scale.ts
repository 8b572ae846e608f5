const STEPS_MAX = 4;
const STEPS = [1, 2, 5, 10] as const;

/** The whole numbers beside a picture, from 0 to one that no value exceeds, at equal distances. */
export function scaleTo(greatest: number): readonly number[] {
  const power = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, greatest) / STEPS_MAX)));
  const step = power * (STEPS.find((each) => each * power * STEPS_MAX >= greatest) ?? 1);
  return Array.from({ length: Math.max(1, Math.ceil(greatest / step)) + 1 }, (_, at) => at * step);
}
