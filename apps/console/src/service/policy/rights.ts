import type { Capability, CurrentSession } from '@access-admin/client';

/** The capabilities that change policies and controls, any one of them. The service decides; pages say it in advance. */
const NEEDED: readonly Capability[] = ['ORG_ADMIN', 'POLICY_ADMIN'];

/** The capabilities one of which the session lacks to change policies and controls; null where it has one. */
export const missingToChange = ({
  capabilities,
}: Pick<CurrentSession, 'capabilities'>): readonly Capability[] | null =>
  NEEDED.some((each) => capabilities.includes(each)) ? null : NEEDED;
