import { compareTexts } from '../../basics/order/compare-texts.ts';

/** What another system says of a record, such as its department: texts by name, sorted by name. */
export type Attributes = Readonly<Record<string, string>>;

/** What other systems say of a record; left out where they say nothing. */
export interface ExternalData {
  readonly attributes?: Attributes;
  /** Its id in another system. */
  readonly externalId?: string | null;
}

/** External data as answers show them. */
export interface ShownExternalData {
  readonly attributes: Attributes;
  readonly externalId: string | null;
}

/** External data as they are stored, without what says nothing. */
export const externalDataOf = ({ attributes = {}, externalId = null }: ExternalData): ExternalData => ({
  ...(Object.keys(attributes).length === 0 ? {} : { attributes }),
  ...(externalId === null ? {} : { externalId }),
});

/** Fills in what a record leaves out. */
export const showExternalData = ({ attributes = {}, externalId = null }: ExternalData): ShownExternalData => ({
  attributes,
  externalId,
});

/** The most attributes of a record. */
export const ATTRIBUTES_MAX = 32;

/** The most characters of the value of an attribute. */
export const ATTRIBUTE_VALUE_LENGTH_MAX = 256;

/** The most characters of the id of a record in another system. */
export const EXTERNAL_ID_LENGTH_MAX = 512;

/** The name of an attribute: 1 to 64 of `A-Z a-z 0-9 _ . -`, beginning with a letter. */
export const ATTRIBUTE_NAME = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;

/** Attributes in the order of their names, so that equal attributes are equal texts. */
export const sortedAttributes = (attributes: Attributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).sort(([one], [other]) => compareTexts(one, other)));
