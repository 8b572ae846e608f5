import type { UiMetadata } from '@access-admin/domain';
import * as v from 'valibot';
import { EMBEDDING_ORIGINS_BYTES_MAX, EMBEDDING_ORIGINS_MAX, UI_TEXT_LENGTH_MAX } from '../limits.ts';
import { chosen } from '../validation/chosen.ts';
import { embeddingOriginsIssues, longOriginsText } from '../validation/embedding-origins.ts';
import { closedObject, plainText, resettable, rule, shownText, textOf } from '../validation/fields.ts';
import { requestSchema, responseSchema } from '../validation/named-schema.ts';
import { resourcePatch } from '../validation/patch.ts';
import { failsWith } from '../validation/validate.ts';

const label = resettable(v.pipe(textOf(UI_TEXT_LENGTH_MAX), plainText));
const origins = resettable(
  v.pipe(
    v.string(),
    v.nonEmpty(failsWith('LengthOutOfRange', 'must not be empty; null resets it')),
    rule(embeddingOriginsIssues),
    v.maxLength(
      EMBEDDING_ORIGINS_BYTES_MAX,
      failsWith('LengthOutOfRange', (text) => longOriginsText(String(text))),
    ),
    v.metadata({
      description: `Origins that may embed the UI, at most ${EMBEDDING_ORIGINS_MAX} in ${EMBEDDING_ORIGINS_BYTES_MAX} bytes, separated by single spaces.`,
    }),
  ),
);

/** The properties of an update of the UI metadata. */
export const uiMetadataEntries = { iFrameWhitelist: origins, usernameLabel: label, usernameEmptyText: label };

const update = closedObject({ ...uiMetadataEntries, iframeWhiteList: origins });
const bothSpellings = v.never(
  failsWith('MalformedBody', 'iFrameWhitelist and iframeWhiteList are the same property: send one of them'),
);

/**
 * Request of the UI metadata update. Accepts `iFrameWhitelist` or, as SailPoint spells it,
 * `iframeWhiteList`, not both.
 */
export const tenantUiMetadataUpdate = requestSchema(
  'Tenantuimetadataitemupdaterequest',
  chosen(update, (input) =>
    ['iFrameWhitelist', 'iframeWhiteList'].every((name) => Object.hasOwn(Object(input), name)) ? bothSpellings : update,
  ),
);

const shownEntries = { iFrameWhitelist: shownText, usernameLabel: shownText, usernameEmptyText: shownText };

/** Changes of the UI metadata by an update. */
export const uiMetadataPatch = resourcePatch(closedObject(shownEntries), {
  iFrameWhitelist: 'nullable',
  usernameLabel: 'nullable',
  usernameEmptyText: 'nullable',
});

/** The UI metadata as responses show it: with `iframeWhiteList` where the request used that spelling. */
export interface UiMetadataResponse extends UiMetadata {
  readonly iframeWhiteList?: string | null;
}

/** Response of both UI metadata operations. */
export const tenantUiMetadata = responseSchema<UiMetadataResponse>('Tenantuimetadataitemresponse')(
  closedObject({ ...shownEntries, iframeWhiteList: v.exactOptional(shownText) }),
);
