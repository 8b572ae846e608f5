import { ok } from '@access-admin/domain';
import type { Store } from '@access-admin/store';

/** Makes a tenant exist, as any change of its data does. */
export async function bringIntoBeing({ uiMetadata }: Store, tenant: string, time: string): Promise<void> {
  const actor = { clientId: 'test', identityId: null };
  const context = { tenant, actor, operation: 'test', time, trackingId: '0'.repeat(32) };
  await uiMetadata.change(context, { decide: (before) => ok({ ...before, usernameLabel: tenant }) });
}
