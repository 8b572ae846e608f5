import { type AccessAdminClient, createClient, NotFoundError, TokenError } from '@access-admin/client';
import { openTestService } from '@access-admin/harness';
import { expect, test } from 'vitest';
import { fetchToken } from './fetch-token.ts';
import { FORBIDDEN_GRANT, SMALL_COMPANY, VIOLATION } from './small-company.ts';

/** So many that a worker is killed before it has removed all of them. */
const PEOPLE = 10_000;

const SCOPES = [
  'access-model:manage',
  'auth-users:read',
  'events:read',
  'oauth-clients:manage',
  'sod-policies:read',
  'sod-violations:read',
] as const;

/** How a call ends: `done`, or the name of its error. */
const outcomeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'done',
    (error: Error) => error.name,
  );

test('a tenant ends in every process, and its removal goes on where a worker was killed', async () => {
  await using service = await openTestService();
  const left = await service.startApi();
  const right = await service.startApi();
  const first = service.startWorker();
  const operator = left.client;
  const createTenant = async (baseAddress: string): Promise<AccessAdminClient & { readonly token: string }> => {
    const { id: clientId, secret: clientSecret } = await operator.oauthClients.create({
      name: 'first',
      scopes: SCOPES,
      tenant: 'acme',
    });
    const token = await fetchToken(baseAddress, { clientId, clientSecret });
    return { ...createClient({ baseAddress, clientId, clientSecret, retries: 0 }), token };
  };
  const acme = await createTenant(right.baseAddress);
  const people = Array.from({ length: PEOPLE }, (_, number) => ({
    kind: 'identity' as const,
    id: `i-many-${number}`,
    uid: `many-${number}`,
    identityProfile: 'ip-staff',
    access: [],
  }));
  await acme.accessModel.import([...SMALL_COMPANY, ...people]);
  await operator.accessModel.import(SMALL_COMPANY);
  expect(await acme.sodViolations.predict(FORBIDDEN_GRANT)).toMatchObject({ violationContexts: [VIOLATION] });
  await expect(acme.tenants.list()[Symbol.asyncIterator]().next()).rejects.toMatchObject({ name: 'ForbiddenError' });

  const stream = await fetch(`${right.baseAddress}/events/v1`, {
    headers: { authorization: `Bearer ${acme.token}`, accept: 'text/event-stream' },
  });
  expect(stream.headers.get('content-type')).toContain('text/event-stream');

  expect(await operator.tenants.delete('acme', { confirm: 'acme' })).toMatchObject({ state: 'REMOVING' });
  const removedRows = async () => (await operator.tenants.get('acme')).removal?.removedRows ?? 0;
  await expect.poll(removedRows, { interval: 10 }).toBeGreaterThan(0);
  await first.stop('SIGKILL');
  const before = await removedRows();
  expect(before).toBeLessThan(PEOPLE);
  // Its token is refused, and its client gets no other one.
  await expect.poll(() => outcomeOf(acme.sodViolations.predict(FORBIDDEN_GRANT))).toBe(TokenError.name);
  // The stream ends by itself.
  expect(await stream.text()).toContain('access-model');
  await expect(operator.oauthClients.create({ name: 'c', scopes: SCOPES, tenant: 'acme' })).rejects.toMatchObject({
    name: 'ConflictError',
  });
  service.startWorker();
  await expect.poll(removedRows).toBeGreaterThan(before);
  await expect.poll(() => outcomeOf(right.client.tenants.get('acme')), { timeout: 60_000 }).toBe(NotFoundError.name);

  const again = await createTenant(right.baseAddress);
  expect(await outcomeOf(again.authUsers.get('i-ada'))).toBe(NotFoundError.name);
  await again.accessModel.import(SMALL_COMPANY.filter(({ kind }) => kind !== 'sodPolicy'));
  expect(await again.sodViolations.predict(FORBIDDEN_GRANT)).toMatchObject({ violationContexts: [] });
  expect(await outcomeOf(acme.sodViolations.predict(FORBIDDEN_GRANT))).not.toBe('done');
  // The other tenant is as it was.
  expect(await right.client.sodViolations.predict(FORBIDDEN_GRANT)).toMatchObject({ violationContexts: [VIOLATION] });
});
