import { EMBEDDING_ORIGINS_MAX, UI_TEXT_LENGTH_MAX, type UiMetadata } from '@access-admin/domain';
import * as v from 'valibot';
import { closedObject } from '../validation/fields.ts';
import { responseSchema } from '../validation/response-schema.ts';
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

/** The UI metadata as responses have it: `iframeWhiteList` only for requests in the spelling of the modelled product. */
export interface UiMetadataResponse extends UiMetadata {
  readonly iframeWhiteList?: string | null;
}

/** Response of both UI metadata operations. */
export const tenantUiMetadata = responseSchema<UiMetadataResponse>()(
  closedObject({
    iFrameWhitelist: v.nullable(v.string()),
    usernameLabel: v.nullable(v.string()),
    usernameEmptyText: v.nullable(v.string()),
    iframeWhiteList: v.exactOptional(v.nullable(v.string())),
  }),
);
