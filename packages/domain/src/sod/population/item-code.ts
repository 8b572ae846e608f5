/** An item of a violation as one number: its place among the items of all sides of the policy, and whether it is held or only gained. */
export const itemCode = (place: number, isHeld: boolean): number => place * 2 + (isHeld ? 1 : 0);

/** The place of an item among those of all sides. */
export const placeOfItem = (code: number): number => code >>> 1;

/** Whether an item is held; else it is only gained. */
export const isItemHeld = (code: number): boolean => (code & 1) === 1;
