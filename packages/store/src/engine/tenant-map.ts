/** A map by tenant and id. Joining the two to one key would cost more than the second look-up. */
export interface TenantMap<T> {
  get(tenant: string, id: string): T | undefined;
  /** Clears the map when there are too many entries. */
  set(tenant: string, id: string, value: T): void;
  clear(): void;
  clearTenant(tenant: string): void;
}

export function createTenantMap<T>(entriesMax: number): TenantMap<T> {
  const tenants = new Map<string, Map<string, T>>();
  let size = 0;
  const clear = () => {
    tenants.clear();
    size = 0;
  };
  return {
    clear,
    clearTenant: (tenant) => {
      size -= tenants.get(tenant)?.size ?? 0;
      tenants.delete(tenant);
    },
    get: (tenant, id) => tenants.get(tenant)?.get(id),
    set: (tenant, id, value) => {
      if (size >= entriesMax) clear();
      const entries = tenants.get(tenant) ?? new Map<string, T>();
      if (entries.size === 0) tenants.set(tenant, entries);
      if (!entries.has(id)) size += 1;
      entries.set(id, value);
    },
  };
}
