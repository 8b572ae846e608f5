import { ok, type Result } from '@access-admin/domain';
import type { SecretCipher } from '../record/secrets/cipher.ts';
import { type GivenKeys, openSecretCipher } from '../record/secrets/open-cipher.ts';
import type { Store } from './store.ts';

export interface OpenSecretsOptions {
  readonly given: GivenKeys;
  /** Where a key is kept that the environment does not give. */
  readonly folder: string;
  readonly now: () => Date;
  readonly log: Record<'info' | 'error', (fields: object, message: string) => void>;
}

/**
 * Opens the cipher of the store's secrets, and seals those of an earlier key again; null where no key is given. The failure
 * says that the key is not the right one.
 */
export async function openSecrets(
  store: Pick<Store, 'engine' | 'secretKeys' | 'webhooks' | 'credentials'>,
  { log, ...options }: OpenSecretsOptions,
): Promise<Result<SecretCipher | null, string>> {
  const { engine, secretKeys: keys, webhooks, credentials } = store;
  const opened = await openSecretCipher({ ...options, engine, keys });
  if (!opened.ok || opened.value === null) return opened;
  const cipher = opened.value;
  const ofWebhooks = await webhooks.reseal(cipher.keyId, ({ tenant, webhookId }, sealed) => {
    const owner = { purpose: 'webhook', tenant, id: webhookId } as const;
    const secret = cipher.open(owner, sealed);
    return secret === null ? null : cipher.seal(owner, secret);
  });
  const ofIdentities = await credentials.reseal(cipher.keyId, ({ tenant, identityId }, sealed) => {
    const owner = { purpose: 'totp', tenant, id: identityId } as const;
    const secret = cipher.open(owner, sealed);
    return secret === null ? null : cipher.seal(owner, secret);
  });
  const sealed = { webhooks: ofWebhooks.sealed, identities: ofIdentities.sealed };
  if (sealed.webhooks + sealed.identities > 0) log.info(sealed, 'secrets encrypted again with the present key');
  if (ofWebhooks.failed > 0)
    log.error({ webhooks: ofWebhooks.failed }, 'secrets of webhooks are of another key: rotate them');
  if (ofIdentities.failed > 0)
    log.error({ identities: ofIdentities.failed }, 'secrets of authenticator apps are of another key: remove them');
  return ok(cipher);
}
