import * as v from 'valibot';
import { fault } from '../validate.ts';
import { closedObject } from './fields.ts';

const text = v.exactOptional(v.nullable(v.string()));

/** Request of the UI metadata update, in our spelling or that of the modelled product (`iframeWhiteList`), not both. */
export const tenantUiMetadataUpdate = v.pipe(
  closedObject({ iFrameWhitelist: text, iframeWhiteList: text, usernameLabel: text, usernameEmptyText: text }),
  v.check(
    (body) => body.iFrameWhitelist === undefined || body.iframeWhiteList === undefined,
    fault('MalformedBody', 'iFrameWhitelist and iframeWhiteList are the same property'),
  ),
);

/** Answer of both UI metadata operations; `iframeWhiteList` only for callers that use the foreign spelling. */
export const tenantUiMetadata = v.object({
  iFrameWhitelist: v.nullable(v.string()),
  usernameLabel: v.nullable(v.string()),
  usernameEmptyText: v.nullable(v.string()),
  iframeWhiteList: v.optional(v.nullable(v.string())),
});
