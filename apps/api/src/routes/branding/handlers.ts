import { type Branding, ok, updateBranding } from '@access-admin/domain';
import type { BrandingStore } from '@access-admin/store';
import { auditContextOfRequest, type OperationHandlers } from '../../operations/operation.ts';
import { etagOf } from '../answers/etag.ts';
import { ifMatch } from '../answers/resource.ts';

export interface BrandingParts {
  readonly branding: Pick<BrandingStore, 'read' | 'change'>;
  readonly now: () => Date;
}

export const brandingHandlers = ({ branding, now }: BrandingParts) =>
  ({
    'get-tenant-branding-v1': async ({ caller }) => answer(await branding.read(caller.tenant)),

    'set-tenant-branding-v1': async (request) => {
      const decide = (current: Branding) => updateBranding(current, request.body);
      const changed = await branding.change(auditContextOfRequest(request, now()), {
        // An issue of the body has precedence over `If-Match`.
        precondition: (current) => {
          const decided = decide(current);
          return decided.ok ? ifMatch(request.c)(current) : decided;
        },
        decide,
      });
      return changed.ok ? answer(changed.value) : changed;
    },
  }) satisfies Partial<OperationHandlers>;

const answer = (branding: Branding) => ok({ json: branding, headers: { etag: etagOf(branding) } });
