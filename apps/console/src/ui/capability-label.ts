import type { Capability } from '@access-admin/client';
import type { CommonKey } from '../languages/texts.ts';
import { isEffective } from '../service/people/effective-capabilities.ts';

type Text = (key: CommonKey) => string;

/** A capability by what it means here, with its own name beside; one of another service by its own name. */
export const capabilityLabel = (text: Text, capability: Capability) =>
  isEffective(capability) ? { label: text(`capability.${capability}`), code: capability } : { label: capability };

/** The label of a capability and its internal name in one text. */
export function capabilityName(text: Text, capability: Capability): string {
  const { label, code } = capabilityLabel(text, capability);
  return code === undefined ? label : `${label} (${code})`;
}

/** Capabilities one of which is needed. */
export const capabilityChoice = (
  { text, locale }: { readonly text: Text; readonly locale: string },
  capabilities: readonly Capability[],
): string =>
  new Intl.ListFormat(locale, { type: 'disjunction' }).format(capabilities.map((each) => capabilityName(text, each)));
