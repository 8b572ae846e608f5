import { createAccessModelStore } from './access-model-store.ts';
import { createAuditStore } from './audit-store.ts';
import { createAuthProfileStore } from './auth-profile-store.ts';
import { createAuthUserStore } from './auth-user-store.ts';
import { createCheckQueue } from './check-queue.ts';
import { createClientStore } from './client-store.ts';
import type { CheckWrites, Database, HotReads } from './database.ts';
import { createSodReportStore } from './report-store.ts';
import { createSigningKeyStore } from './signing-key-store.ts';
import { createSodExceptionStore } from './sod-exception-store.ts';
import { createSodPolicyStore } from './sod-policy-store.ts';
import { createSodStore } from './sod-store.ts';
import type { Store } from './store.ts';
import { createUiMetadataStore } from './ui-metadata-store.ts';

/** What an engine brings along. */
interface EngineParts extends Pick<Store, 'engine' | 'ping' | 'onCommit' | 'close'> {
  readonly database: Database;
  readonly hotReads: HotReads;
  readonly checkWrites: CheckWrites;
}

export function createStore({ database, hotReads, checkWrites, ...engine }: EngineParts): Store {
  let closed: Promise<void> | null = null;
  const close = () => {
    closed ??= engine.close();
    return closed;
  };
  return {
    ...engine,
    clients: createClientStore(database, hotReads),
    signingKeys: createSigningKeyStore(database),
    authUsers: createAuthUserStore(database),
    authProfiles: createAuthProfileStore(database),
    uiMetadata: createUiMetadataStore(database),
    accessModel: createAccessModelStore(database),
    audit: createAuditStore(database),
    sodPolicies: createSodPolicyStore(database),
    sodExceptions: createSodExceptionStore(database),
    sod: createSodStore(database, hotReads),
    checks: createCheckQueue(database, checkWrites),
    reports: createSodReportStore(database),
    close,
    [Symbol.asyncDispose]: close,
  };
}
