import type { tenantUiMetadataUpdate } from '@access-admin/contract';
import { type UiMetadata, updateUiMetadata } from '@access-admin/domain';
import type { Store, UiMetadataStore } from '@access-admin/store';
import type { InferOutput } from 'valibot';
import type { OperationHandlers } from '../../operations/operation.ts';
import { auditContextOfRequest, type OperationHandler, type OperationResult } from '../../operations/operation.ts';
import { etagOf } from '../answers/etag.ts';
import { ifMatch } from '../answers/resource.ts';

export interface UiMetadataDeps {
  readonly store: Pick<Store, 'uiMetadata'>;
  readonly now: () => Date;
}

export const uiMetadataHandlers = ({ store: { uiMetadata }, now }: UiMetadataDeps) =>
  ({
    'get-tenant-ui-metadata-v1': getUiMetadata(uiMetadata),
    'set-tenant-ui-metadata-v1': setUiMetadata(uiMetadata, now),
  }) satisfies Partial<OperationHandlers>;

/** get-tenant-ui-metadata-v1 */
const getUiMetadata =
  (uiMetadata: UiMetadataStore): OperationHandler =>
  async ({ caller, hasForeignHeader }) => ({
    ok: true,
    value: answer(await uiMetadata.read(caller.tenant), hasForeignHeader),
  });

/** set-tenant-ui-metadata-v1 */
const setUiMetadata =
  (uiMetadata: UiMetadataStore, now: () => Date): OperationHandler =>
  async (request) => {
    const { iframeWhiteList, ...update } = request.body as InferOutput<typeof tenantUiMetadataUpdate>;
    const foreign = iframeWhiteList !== undefined;
    const decide = (metadata: UiMetadata) =>
      updateUiMetadata(metadata, foreign ? { ...update, iFrameWhitelist: iframeWhiteList } : update);
    const changed = await uiMetadata.change(auditContextOfRequest(request, now()), {
      // An issue of the body has precedence over `If-Match`.
      precondition: (metadata) => {
        const decided = decide(metadata);
        return decided.ok ? ifMatch(request)(metadata) : decided;
      },
      decide,
    });
    return changed.ok ? { ok: true, value: answer(changed.value, foreign || request.hasForeignHeader) } : changed;
  };

/** Callers of SailPoint get its spelling in addition; the ETag is the same for both. */
const answer = (metadata: UiMetadata, foreign: boolean): OperationResult => ({
  json: foreign ? { ...metadata, iframeWhiteList: metadata.iFrameWhitelist } : metadata,
  headers: { etag: etagOf(metadata) },
});
