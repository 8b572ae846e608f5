import { NO_TENANT } from '../auth/host-tenants.ts';
import type { Middleware } from '../env.ts';
import { refuse } from '../http/problem.ts';

/** Answers 404 at the address of a tenant that does not exist. */
export const existingTenant: Middleware = async (c, next) =>
  (await c.env.services.hostTenants.isOfNone(c)) ? refuse(c, NO_TENANT) : next();
