import { ConflictError } from '@access-admin/client';
import { useQueryClient } from '@tanstack/react-query';
import type { RefObject } from 'react';

/**
 * Waits for a change and reads again what the page shows of people, also where only a part of the change was made. The focus goes
 * where the button was, which may be gone.
 */
export function useChange(place: RefObject<HTMLElement | null>): (changing: Promise<unknown>) => Promise<void> {
  const queries = useQueryClient();
  return async (changing) => {
    await changing.finally(() => queries.invalidateQueries({ queryKey: ['people'] }));
    // The dialog gives the focus back after it is closed.
    setTimeout(() => place.current?.focus({ preventScroll: true }));
  };
}

/** Whether the service protects the last administrator who can sign in. */
export const explainGuard = (error: unknown): boolean => error instanceof ConflictError;
