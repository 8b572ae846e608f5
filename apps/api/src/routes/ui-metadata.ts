import { UI_METADATA, uiMetadataPatch } from '@access-admin/contract';
import type { UiMetadata } from '@access-admin/domain';
import { Hono } from 'hono';
import type { ApiEnv, RequestContext } from '../env.ts';
import { auditContext } from '../http/audit-context.ts';
import { hasForeignHeader } from '../middleware/experimental.ts';
import { route } from '../operations/route.ts';
import { etagOf } from './answers/etag.ts';
import { ifMatch } from './answers/resource.ts';

/** What a tenant shows of itself in other interfaces. */
export const uiMetadata = () =>
  new Hono<ApiEnv>()
    .on(
      ...route(UI_METADATA.get, async (c, { caller }) =>
        answer(c, await c.env.services.store.uiMetadata.read(caller.tenant), hasForeignHeader(c)),
      ),
    )
    .on(
      ...route(UI_METADATA.set, async (c, { body }) => {
        const { iframeWhiteList, ...update } = body;
        const isForeign = iframeWhiteList !== undefined;
        const changed = await c.env.services.store.uiMetadata.change(auditContext(c), {
          precondition: ifMatch(c),
          decide: (metadata) =>
            uiMetadataPatch.replace(metadata, { ...update, ...(isForeign && { iFrameWhitelist: iframeWhiteList }) }),
        });
        return changed.ok ? answer(c, changed.value, isForeign || hasForeignHeader(c)) : changed;
      }),
    );

/** Callers of SailPoint get its spelling in addition; the ETag is the same for both. */
const answer = (c: RequestContext, metadata: UiMetadata, isForeign: boolean): Response =>
  c.json(isForeign ? { ...metadata, iframeWhiteList: metadata.iFrameWhitelist } : metadata, 200, {
    etag: etagOf(metadata),
  });
