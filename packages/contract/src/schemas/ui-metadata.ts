import {
  EMBEDDING_ORIGINS_BYTES_MAX,
  EMBEDDING_ORIGINS_MAX,
  UI_TEXT_LENGTH_MAX,
  type UiMetadata,
} from '@access-admin/domain';
import * as v from 'valibot';
import { closedObject } from '../validation/fields.ts';
import { requestSchema, responseSchema } from '../validation/named-schema.ts';
import { failsWith } from '../validation/validate.ts';

// The domain validates the texts; their limits are stated for the OpenAPI document.
/** A label or placeholder; null resets it. */
export const uiText = v.exactOptional(
  v.nullable(v.pipe(v.string(), v.metadata({ minLength: 1, maxLength: UI_TEXT_LENGTH_MAX }))),
);
/** The origins that may embed the UI; null resets them. */
export const uiOrigins = v.exactOptional(
  v.nullable(
    v.pipe(
      v.string(),
      v.metadata({
        minLength: 1,
        description: `Origins that may embed the UI, at most ${EMBEDDING_ORIGINS_MAX} in ${EMBEDDING_ORIGINS_BYTES_MAX} bytes, separated by single spaces.`,
      }),
    ),
  ),
);

/**
 * Request of the UI metadata update. Accepts `iFrameWhitelist` or, as SailPoint spells it,
 * `iframeWhiteList`, not both.
 */
export const tenantUiMetadataUpdate = requestSchema(
  'Tenantuimetadataitemupdaterequest',
  v.pipe(
    closedObject({
      iFrameWhitelist: uiOrigins,
      iframeWhiteList: uiOrigins,
      usernameLabel: uiText,
      usernameEmptyText: uiText,
    }),
    v.check(
      (body) => body.iFrameWhitelist === undefined || body.iframeWhiteList === undefined,
      failsWith('MalformedBody', 'iFrameWhitelist and iframeWhiteList are the same property: send one of them'),
    ),
  ),
);

/** The UI metadata as responses show it: with `iframeWhiteList` where the request used that spelling. */
export interface UiMetadataResponse extends UiMetadata {
  readonly iframeWhiteList?: string | null;
}

/** Response of both UI metadata operations. */
export const tenantUiMetadata = responseSchema<UiMetadataResponse>('Tenantuimetadataitemresponse')(
  closedObject({
    iFrameWhitelist: v.nullable(v.string()),
    usernameLabel: v.nullable(v.string()),
    usernameEmptyText: v.nullable(v.string()),
    iframeWhiteList: v.exactOptional(v.nullable(v.string())),
  }),
);
