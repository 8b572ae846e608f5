import { fail, ok, type Result } from '@access-admin/domain';
import type { NoCapacity, Slot } from '@access-admin/scheduling';
import type { MaybePromise } from '../event-loop/maybe-promise.ts';
import type { ApiFailure } from '../http/problem.ts';
import type { LongText } from './stream-json.ts';

/** Opens a text that holds a slot until it has been sent. */
export async function openWithSlot(
  slot: Slot,
  refusalOf: (noCapacity: NoCapacity) => ApiFailure,
  open: () => MaybePromise<Result<LongText, ApiFailure>>,
): Promise<Result<LongText, ApiFailure>> {
  const acquired = await slot.acquire();
  if (!acquired.ok) return fail(refusalOf(acquired.failure));
  let isOpen = false;
  try {
    const opened = await open();
    if (!opened.ok) return opened;
    isOpen = true;
    const releaseAll = () => {
      opened.value.release?.();
      slot.release();
    };
    return ok({ ...opened.value, release: releaseAll });
  } finally {
    if (!isOpen) slot.release();
  }
}
