import { type AccessAdminClient, ApiError, filter, NotFoundError } from '@access-admin/client';
import { line } from '../output/escape.ts';
import { CommandFailure } from '../output/failure.ts';
import type { Output } from '../output/output.ts';

/**
 * Runs an action with the id of an identity that is given by its id, its `uid` or its `externalId`, in this order. Throws a
 * `CommandFailure` that names the ids where several have the name, and what the action throws where none has.
 */
export async function withIdentity<T>(
  given: string,
  {
    client,
    output,
    signal,
  }: { readonly client: AccessAdminClient; readonly output: Output; readonly signal: AbortSignal },
  action: (identityId: string) => Promise<T>,
): Promise<T> {
  try {
    return await action(given);
  } catch (error) {
    if (!(error instanceof NotFoundError || (error instanceof ApiError && error.status === 400))) throw error;
    for (const field of ['uid', 'externalId']) {
      const [one, ...others] = await found(field);
      if (one === undefined) continue;
      if (others.length > 0)
        throw new CommandFailure(`several identities have the ${field} ${given}: ${[one, ...others].join(', ')}`);
      output.note(line`${given} is the ${field} of ${one}`);
      return action(one);
    }
    throw error;
  }

  async function found(field: string): Promise<readonly string[]> {
    const filters = field === 'uid' ? filter`uid eq ${given}` : filter`externalId eq ${given}`;
    try {
      const { items } = await client.identities.page({ filters, limit: 10, signal });
      return items.map(({ id }) => id);
    } catch (error) {
      // The right to predict does not include the right to look up identities.
      if (error instanceof ApiError && (error.status === 403 || error.status === 400)) return [];
      throw error;
    }
  }
}
