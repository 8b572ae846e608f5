import { EMBEDDING_ORIGINS_MAX, UI_TEXT_LENGTH_MAX } from '@access-admin/domain';
import * as v from 'valibot';
import { closedObject } from '../validation/fields.ts';
import { fault } from '../validation/validate.ts';

// The domain judges them; their limits are named for the OpenAPI document.
/** A label or placeholder; null resets it. */
export const uiText = v.exactOptional(
  v.nullable(v.pipe(v.string(), v.metadata({ minLength: 1, maxLength: UI_TEXT_LENGTH_MAX }))),
);
/** Who may embed the UI; null resets it. */
export const uiOrigins = v.exactOptional(
  v.nullable(
    v.pipe(
      v.string(),
      v.metadata({
        minLength: 1,
        description: `Origins that may embed the UI, at most ${EMBEDDING_ORIGINS_MAX}, separated by single spaces.`,
      }),
    ),
  ),
);

/** Request of the UI metadata update, in our spelling or that of the modelled product (`iframeWhiteList`), not both. */
export const tenantUiMetadataUpdate = v.pipe(
  closedObject({
    iFrameWhitelist: uiOrigins,
    iframeWhiteList: uiOrigins,
    usernameLabel: uiText,
    usernameEmptyText: uiText,
  }),
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
