/** Whether a tenant may hold an amount more: as much as it leaves free, and its first whenever that is free. */
export const mayHold = (held: number, amount: number, free: number): boolean =>
  amount <= free && (held === 0 || held + amount <= free - amount);

/** What each tenant holds when all of them hold as much as they may. */
export const equalPart = (size: number, tenants: number): number => size / (tenants + 1);
