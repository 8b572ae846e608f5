import { usePageTexts } from '../languages/context.tsx';
import styles from '../parts/chips.module.css';
import type { Offered } from '../service/look-ups.ts';
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
      <ul className={styles['chips']}>
        {choices.map((choice) => (
          <li key={`${choice.type} ${choice.id}`}>
            <span dir="auto">{choice.name}</span>
            <button
              type="button"
              aria-label={pageText('remove', { name: choice.name })}
              onClick={() => onChange(choices.filter((each) => each !== choice))}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
    )
  );
}

/** The choices with one more, each once. */
export const addChoice = <Choice extends Offered>(choices: readonly Choice[], added: Choice): readonly Choice[] =>
  choices.some(({ type, id }) => type === added.type && id === added.id) ? choices : [...choices, added];
