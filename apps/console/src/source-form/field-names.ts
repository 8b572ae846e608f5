import { usePageTexts } from '../languages/context.tsx';
import { SOURCE_FORM_TEXTS } from './texts.ts';

/** The fields of accounts and of identities that rules compare, beside attributes. */
export const ACCOUNT_FIELDS = ['id', 'name', 'email'] as const;
export const IDENTITY_FIELDS = ['id', 'uid', 'email', 'externalId', 'identificationNumber'] as const;

const PREFIX = 'attributes.';

/** The name of the attribute that a field of a rule is; null for another field. */
export const attributeOf = (field: string): string | null =>
  field.startsWith(PREFIX) ? field.slice(PREFIX.length) : null;

/** The field of a rule that is an attribute. */
export const fieldOfAttribute = (name: string): string => `${PREFIX}${name}`;

/** Names the fields of rules in words; an attribute by its own name. */
export function useFieldName(): (field: string) => string {
  const formText = usePageTexts(SOURCE_FORM_TEXTS);
  return (field) => {
    const known = [...ACCOUNT_FIELDS, ...IDENTITY_FIELDS].find((each) => each === field);
    return known === undefined ? (attributeOf(field) ?? field) : formText(`field.${known}`);
  };
}
