import type { ExternalData } from '@access-admin/domain';

/** The columns of what other systems say of a record. */
interface ExternalColumns {
  readonly attributes: string | null;
  readonly external_id: string | null;
}

export const externalToColumns = ({ attributes, externalId }: ExternalData): ExternalColumns => ({
  attributes: attributes === undefined ? null : JSON.stringify(attributes),
  external_id: externalId ?? null,
});

export const columnsToExternal = ({ attributes, external_id }: ExternalColumns): ExternalData => ({
  ...(attributes === null ? {} : { attributes: JSON.parse(attributes) }),
  ...(external_id === null ? {} : { externalId: external_id }),
});
