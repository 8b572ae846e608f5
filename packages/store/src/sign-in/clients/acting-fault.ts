import { lackedByMaker } from '@access-admin/domain';
import type { CallingClient } from './client.ts';

/** Why a client may not act as its identity, by a secret that is valid; null for an application, and where it may. */
export function actingFault(client: CallingClient, secretVersion: number | null): string | null {
  if (client.capabilities === null) return 'identity gone';
  const isPresent = secretVersion === client.secretVersion;
  const maker = isPresent ? client.makerCapabilities : client.previousMakerCapabilities;
  const lacked = lackedByMaker(client.capabilities, maker);
  return lacked === null ? null : `the identity has ${lacked}, which the maker of the secret lacked`;
}
