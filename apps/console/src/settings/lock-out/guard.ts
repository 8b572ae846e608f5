import { ConflictError } from '@access-admin/client';
import { usePageTexts } from '../../languages/context.tsx';
import { LOCK_OUT_TEXTS } from './texts.ts';

/** What the refusal of a change of sign-ins means: the guard against locking all administrators out is a conflict. */
export function useGuardExplanation(error: unknown): string | null {
  const pageText = usePageTexts(LOCK_OUT_TEXTS);
  return error instanceof ConflictError ? pageText('guard') : null;
}
