import type { Passkeys } from '../credentials/passkeys.ts';
import type { HttpResponse } from '../http/exchange.ts';
import type { PageRequest } from '../pages/mount.ts';

/** Passkeys are offered at an address with a name, and not in a frame. */
export const offersPasskeys = (
  { origin, isFramed }: Pick<PageRequest, 'origin' | 'isFramed'>,
  { passkeys }: { readonly passkeys: Pick<Passkeys, 'isAvailable'> },
): boolean => !isFramed && passkeys.isAvailable({ origin });

/** The answer to the script of pages where no passkey can be asked for: it tells its user to try another way. */
export const noCeremony = (): HttpResponse => ({ status: 409, headers: {}, body: null });

/** The name of a new passkey. */
export const nameOfNext = (passkeys: readonly unknown[]): string => `Passkey ${passkeys.length + 1}`;
