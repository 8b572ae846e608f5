import { BRANDING } from '@access-admin/contract';
import { type Branding, updateBranding } from '@access-admin/domain';
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
        const decide = (current: Branding) => updateBranding(current, body);
        const changed = await c.env.services.store.branding.change(auditContext(c), {
          // An issue of the body has precedence over `If-Match`.
          precondition: (current) => {
            const decided = decide(current);
            return decided.ok ? ifMatch(c)(current) : decided;
          },
          decide,
        });
        return changed.ok ? withEtag(c, changed.value) : changed;
      }),
    );
