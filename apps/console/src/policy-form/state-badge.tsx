import type { SodPolicyState } from '@access-admin/client';
import { usePageTexts } from '../languages/context.tsx';
import badge from '../ui/badge.module.css';
import { FORM_TEXTS } from './texts.ts';

/** Whether a policy is enforced. */
export function StateBadge({ state }: { readonly state: SodPolicyState }) {
  const pageText = usePageTexts(FORM_TEXTS);
  return <span className={`${badge['badge']} ${badge['plain']}`}>{pageText(state)}</span>;
}
