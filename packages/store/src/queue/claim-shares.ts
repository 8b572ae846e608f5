/** A tenant of which rows may be claimed. */
export interface OpenTenant {
  readonly tenant: string;
  /** How many rows the worker may claim of it. */
  readonly room: number;
}

/** Claims equal shares of the limit; what a tenant leaves of its share is for the others. */
export async function claimShares<Row>(
  tenants: readonly OpenTenant[],
  limit: number,
  /** Null where nothing can be claimed of the tenant now. */
  claimOf: (tenant: string, share: number) => Promise<readonly Row[] | null>,
): Promise<readonly Row[]> {
  const claimed: Row[] = [];
  const failures: unknown[] = [];
  const claimShare = async ({ tenant, room }: OpenTenant, share: number): Promise<OpenTenant> => {
    const most = Math.min(share, room);
    const rows = await claimOf(tenant, most).catch((error: unknown) => {
      failures.push(error);
      return null;
    });
    claimed.push(...(rows ?? []));
    return { tenant, room: rows?.length === most ? room - most : 0 };
  };
  for (let open = tenants; open.length > 0 && claimed.length < limit && failures.length === 0; ) {
    const free = limit - claimed.length;
    const share = Math.max(1, Math.floor(free / open.length));
    const asked = open.slice(0, free);
    const left = await Promise.all(asked.map((one) => claimShare(one, share)));
    open = [...open.slice(asked.length), ...left.filter(({ room }) => room > 0)];
  }
  // What is claimed already is worked on: a storage that is away rejects the next claim, too.
  if (claimed.length === 0 && failures.length > 0) throw failures[0];
  return claimed;
}
