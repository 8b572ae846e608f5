import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { usePageTexts } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { type Choice, nameQuery } from '../service/look-ups.ts';
import { Chip, Chips } from '../ui/chips.tsx';
import { WHAT_IF_TEXTS } from './texts.ts';

type Ref = Pick<Choice, 'type' | 'id'>;

export interface ChosenProps {
  readonly refs: readonly Ref[];
  readonly onRemove: (ref: Ref) => void;
}

/** What has been chosen, by name, each with a button that removes it. */
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

function ChosenOne({ of, onRemove }: { readonly of: Ref; readonly onRemove: () => void }) {
  const pageText = usePageTexts(WHAT_IF_TEXTS);
  const name = useQuery(nameQuery(useApi(), of));
  // What is unknown by now is shown by its id.
  const shown = name.data ?? of.id;
  return (
    <li>
      <Chip removeLabel={pageText('remove', { name: shown })} onRemove={onRemove}>
        {of.type === 'IDENTITY' ? (
          <Link to="/people/$id" params={{ id: of.id }}>
            {shown}
          </Link>
        ) : (
          shown
        )}
      </Chip>
    </li>
  );
}
