import type { AccessRef } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { usePageTexts } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { nameQuery } from '../service/look-ups.ts';
import { Chip, Chips } from '../ui/chips.tsx';
import { WHAT_IF_TEXTS } from './texts.ts';

export interface ChosenProps {
  readonly refs: readonly AccessRef[];
  readonly onRemove: (ref: AccessRef) => void;
}

/** The access that has been chosen, by name, each with a button that removes it. */
export function Chosen({ refs, onRemove }: ChosenProps) {
  return (
    refs.length > 0 && (
      <Chips>
        {refs.map((ref) => (
          <ChosenOne key={`${ref.type} ${ref.id}`} of={ref} onRemove={() => onRemove(ref)} />
        ))}
      </Chips>
    )
  );
}

function ChosenOne({ of, onRemove }: { readonly of: AccessRef; readonly onRemove: () => void }) {
  const pageText = usePageTexts(WHAT_IF_TEXTS);
  const name = useQuery(nameQuery(useApi(), of));
  // What is unknown by now is shown by its id.
  const shown = name.data ?? of.id;
  return (
    <li>
      <Chip removeLabel={pageText('remove', { name: shown })} onRemove={onRemove}>
        {shown}
      </Chip>
    </li>
  );
}
