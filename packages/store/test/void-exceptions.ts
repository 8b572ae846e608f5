import type { Store } from '../src/index.ts';

/** Stores which exceptions are void, as each round of the register does. */
export async function voidExceptions({ register }: Store, tenant: string, now: string): Promise<void> {
  await using source = await register.openSource(tenant);
  await register.voidExceptions(tenant, source, now);
}
