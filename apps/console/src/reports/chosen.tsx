import { usePageTexts } from '../languages/context.tsx';
import type { Offered } from '../service/look-ups.ts';
import { Chip, Chips } from '../ui/chips.tsx';
import { REPORTS_TEXTS } from './texts.ts';

export interface ChosenProps<Choice extends Offered> {
  readonly choices: readonly Choice[];
  readonly onChange: (choices: readonly Choice[]) => void;
}

/** What has been chosen, by name, each with a button that removes it. */
export function Chosen<Choice extends Offered>({ choices, onChange }: ChosenProps<Choice>) {
  const pageText = usePageTexts(REPORTS_TEXTS);
  return (
    choices.length > 0 && (
      <Chips>
        {choices.map((choice) => (
          <li key={`${choice.type} ${choice.id}`}>
            <Chip
              removeLabel={pageText('remove', { name: choice.name })}
              onRemove={() => onChange(choices.filter((each) => each !== choice))}
            >
              {choice.name}
            </Chip>
          </li>
        ))}
      </Chips>
    )
  );
}

/** The choices with one more, each once. */
export const addChoice = <Choice extends Offered>(choices: readonly Choice[], added: Choice): readonly Choice[] =>
  choices.some(({ type, id }) => type === added.type && id === added.id) ? choices : [...choices, added];
