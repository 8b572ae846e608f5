const COUNTS = 4096;

/** Makes ids of deliveries: UUIDs of version 7, which ascend with the time and, within a process, in a millisecond. */
export function createDeliveryIds(newId: () => string): (nowMs: number) => string {
  let count = 0;
  return (nowMs) => {
    count = (count + 1) % COUNTS;
    return `${timeOf(nowMs)}-7${count.toString(16).padStart(3, '0')}${newId().slice(18)}`;
  };
}

/** The least id of a delivery at a time or later. */
export const leastDeliveryId = (nowMs: number): string => `${timeOf(nowMs)}-7000-0000-000000000000`;

function timeOf(nowMs: number): string {
  const hex = Math.max(0, Math.floor(nowMs)).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}
