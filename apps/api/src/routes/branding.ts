import { BRANDING, brandingPatch } from '@access-admin/contract';
import { Hono } from 'hono';
import type { ApiEnv } from '../env.ts';
import { auditContext } from '../http/audit-context.ts';
import { route } from '../operations/route.ts';
import { ifMatch, withEtag } from './answers/resource.ts';

/** The branding of the tenant. */
export const branding = () =>
  new Hono<ApiEnv>()
    .on(
      ...route(BRANDING.get, async (c, { caller }) =>
        withEtag(c, await c.env.services.store.branding.read(caller.tenant)),
      ),
    )
    .on(
      ...route(BRANDING.set, async (c, { body }) => {
        const changed = await c.env.services.store.branding.change(auditContext(c), {
          precondition: ifMatch(c),
          decide: (current) => brandingPatch.replace(current, body),
        });
        return changed.ok ? withEtag(c, changed.value) : changed;
      }),
    );
