import { ok, type UiMetadata, updateUiMetadata } from '@access-admin/domain';
import type { UiMetadataStore } from '@access-admin/store';
import { hasForeignHeader } from '../../middleware/experimental.ts';
import { auditContextOfRequest, type OperationHandlers } from '../../operations/operation.ts';
import { etagOf } from '../answers/etag.ts';
import { ifMatch } from '../answers/resource.ts';

export interface UiMetadataParts {
  readonly uiMetadata: UiMetadataStore;
  readonly now: () => Date;
}

export const uiMetadataHandlers = ({ uiMetadata, now }: UiMetadataParts) =>
  ({
    'get-tenant-ui-metadata-v1': async ({ c, caller }) =>
      answer(await uiMetadata.read(caller.tenant), hasForeignHeader(c)),

    'set-tenant-ui-metadata-v1': async (request) => {
      const { iframeWhiteList, ...update } = request.body;
      const isForeign = iframeWhiteList !== undefined;
      const decide = (metadata: UiMetadata) =>
        updateUiMetadata(metadata, isForeign ? { ...update, iFrameWhitelist: iframeWhiteList } : update);
      const changed = await uiMetadata.change(auditContextOfRequest(request, now()), {
        // An issue of the body has precedence over `If-Match`.
        precondition: (metadata) => {
          const decided = decide(metadata);
          return decided.ok ? ifMatch(request.c)(metadata) : decided;
        },
        decide,
      });
      return changed.ok ? answer(changed.value, isForeign || hasForeignHeader(request.c)) : changed;
    },
  }) satisfies Partial<OperationHandlers>;

/** Callers of SailPoint get its spelling in addition; the ETag is the same for both. */
const answer = (metadata: UiMetadata, isForeign: boolean) =>
  ok({
    json: isForeign ? { ...metadata, iframeWhiteList: metadata.iFrameWhitelist } : metadata,
    headers: { etag: etagOf(metadata) },
  });
