import { type AccessAdminClient, type ClientOptions, createClientOn } from '../src/client.ts';
import type { AuthProfile, AuthUser, SodCheck } from '../src/index.ts';
import { createManualRuntime, type ManualRuntime } from './manual-runtime.ts';
import { openScriptedServer, type ScriptedServer } from './scripted-server.ts';

/** A scripted service and a client of it. */
export interface Stage extends AsyncDisposable {
  readonly server: ScriptedServer;
  readonly runtime: ManualRuntime;
  readonly admin: AccessAdminClient;
  /** Another client of the same service. */
  clientWith(options: Partial<ClientOptions>): AccessAdminClient;
}

export async function openStage(options: Partial<ClientOptions> = {}): Promise<Stage> {
  const server = await openScriptedServer();
  const runtime = createManualRuntime();
  const { baseAddress } = server;
  const clientWith = (more: Partial<ClientOptions>) =>
    createClientOn(runtime, { baseAddress, clientId: 'ci', clientSecret: 'geheim', ...more });
  return {
    server,
    runtime,
    admin: clientWith(options),
    clientWith,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** The error with which a call rejects. */
export async function rejectionOf(call: Promise<unknown>): Promise<Error> {
  try {
    await call;
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('The call was expected to reject with an error');
}

export const ada: AuthUser = {
  tenant: 'acme',
  id: 'i-1',
  uid: 'ada',
  profile: 'ip-emp',
  displayName: 'Ada L.',
  alias: 'ada',
  firstname: null,
  lastname: null,
  email: 'ada@example.com',
  personalEmail: null,
  phone: null,
  workPhone: null,
  identificationNumber: null,
  lastPasswordChangeDate: null,
  lastLoginTimestamp: null,
  currentLoginTimestamp: null,
  lastUnlockTimestamp: null,
  capabilities: ['ORG_ADMIN'],
};

export const employees: AuthProfile = {
  id: 'ip-emp',
  name: 'Employees',
  type: 'NON_PTA',
  offNetwork: false,
  untrustedGeography: false,
  applicationId: null,
  applicationName: null,
  strongAuthLogin: false,
};

export const pendingCheck: SodCheck = {
  requestId: 'r-1',
  created: '2026-11-21T09:30:00.000Z',
  state: 'PENDING',
  completed: null,
  violationCheckResult: null,
};

export const finishedCheck: SodCheck = {
  ...pendingCheck,
  state: 'SUCCESS',
  completed: '2026-11-21T09:30:01.000Z',
  violationCheckResult: {
    message: null,
    clientMetadata: null,
    violationContexts: [],
    violatedPolicies: [],
    violationCount: 0,
    omitted: 0,
  },
};
