import type { AppliedControl } from '@access-admin/client';
import { usePageTexts } from '../languages/context.tsx';
import { VIOLATIONS_TEXTS } from './texts.ts';

/** The controls that are applied to a violation, or were, among its facts. */
export function Controls({ applied }: { readonly applied: readonly AppliedControl[] }) {
  const pageText = usePageTexts(VIOLATIONS_TEXTS);
  if (applied.length === 0) return null;
  return (
    <>
      <dt>{pageText('controls')}</dt>
      <dd>
        {applied.map(({ id, control, status, comments }) => (
          <p key={id}>
            <bdi>{control.name}</bdi>: {pageText(`control.${status}`)}
            {comments !== null && (
              <>
                {' ('}
                <bdi>{comments}</bdi>)
              </>
            )}
          </p>
        ))}
      </dd>
    </>
  );
}
