/** What a hot read is by. */
export interface ReadKey {
  readonly tenant: string;
  readonly id: string;
}

/** One text for both, which no other pair has. */
export const textOfKey = (tenant: string, id: string): string => `${tenant.length} ${tenant}${id}`;
