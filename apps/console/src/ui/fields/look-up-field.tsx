import type { AccessRef } from '@access-admin/client';
import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type RefCallback, useId, useState } from 'react';
import { useSpeech } from '../../languages/context.tsx';
import type { Offered } from '../../service/look-ups.ts';
import fields from './fields.module.css';
import styles from './look-up-field.module.css';

export interface LookUpFieldProps<Choice extends Offered, Key extends QueryKey> {
  readonly label: string;
  /** What is offered for a text. */
  readonly offer: (typed: string) => UseQueryOptions<readonly Choice[], Error, readonly Choice[], Key>;
  readonly onChoose: (choice: Choice) => void;
  readonly ref?: RefCallback<HTMLElement>;
}

/**
 * A field that offers records while somebody types, and is empty again after a choice: the combobox of the ARIA practices, whose
 * focus stays in the field. The one of Base UI would add 25 KiB to the first load of each page that looks something up.
 */
export function LookUpField<Choice extends Offered, Key extends QueryKey>({
  label,
  offer,
  onChoose,
  ref,
}: LookUpFieldProps<Choice, Key>) {
  const { text } = useSpeech();
  const id = useId();
  const listId = useId();
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(false);
  const { choices, state } = useChoices(offer, typed);
  const choose = (choice: Choice) => {
    onChoose(choice);
    setTyped('');
    setOpen(false);
  };
  const { active, setActive, onKeyDown } = useActive({ choices, isOpen, setOpen, choose });
  const isListed = isOpen && choices.length > 0;
  const hint = text(typed.trim() === '' ? 'look-up.type' : HINTS[state]);
  return (
    <div ref={ref} className={`field ${styles['field']}`}>
      <label htmlFor={id} className="label">
        {label}
      </label>
      <input
        id={id}
        type="text"
        role="combobox"
        className={`control ${fields['full']}`}
        autoComplete="off"
        spellCheck={false}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-expanded={isListed}
        aria-controls={isListed ? listId : undefined}
        aria-activedescendant={isListed ? `${listId}-${active}` : undefined}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          setActive(0);
          setOpen(true);
        }}
        onClick={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the handler only keeps the focus in the field. */}
      <div
        className={`${styles['popup']} ${isOpen ? '' : styles['closed']}`}
        onMouseDown={(event) => event.preventDefault()}
      >
        <p role="status" className={styles['empty']}>
          {isOpen && !isListed && hint}
        </p>
        {isListed && (
          <div id={listId} role="listbox" aria-label={label} className={styles['list']}>
            {choices.map((choice, at) => (
              <Option
                key={`${choice.type} ${choice.id}`}
                id={`${listId}-${at}`}
                choice={choice}
                isActive={at === active}
                onPoint={() => setActive(at)}
                onChoose={() => choose(choice)}
              />
            ))}
          </div>
        )}
      </div>
    </div>
  );
}

/** What is said where nothing is offered. */
const HINTS = { pending: 'state.loading', error: 'look-up.failed', success: 'look-up.nothing' } as const;

/** What is offered for a text. */
function useChoices<Choice extends Offered, Key extends QueryKey>(
  offer: LookUpFieldProps<Choice, Key>['offer'],
  typed: string,
) {
  const { data = [], status, isPlaceholderData } = useQuery(offer(typed.trim()));
  // Until the answer is there, those of the text before are offered as far as they fit: never what was not typed.
  const sought = typed.trim().toLocaleLowerCase();
  const fits = ({ name }: Choice) => !isPlaceholderData || name.toLocaleLowerCase().includes(sought);
  return { choices: sought === '' ? [] : data.filter(fits), state: isPlaceholderData ? ('pending' as const) : status };
}

interface ActiveDeps<Choice> {
  readonly choices: readonly Choice[];
  readonly isOpen: boolean;
  readonly setOpen: (isOpen: boolean) => void;
  readonly choose: (choice: Choice) => void;
}

/** The place of the choice that Enter takes, and the keys that move it. */
function useActive<Choice>({ choices, isOpen, setOpen, choose }: ActiveDeps<Choice>) {
  const [wanted, setActive] = useState(0);
  const active = Math.min(wanted, Math.max(0, choices.length - 1));
  const move = (by: number) => {
    if (isOpen) setActive((active + by + choices.length) % Math.max(1, choices.length));
    setOpen(true);
  };
  const act = (key: string): boolean => {
    const choice = choices[active];
    if (key === 'ArrowDown' || key === 'ArrowUp') move(key === 'ArrowDown' ? 1 : -1);
    else if (!isOpen) return false;
    else if (key === 'Escape') setOpen(false);
    else if (key === 'Enter' && choice !== undefined) choose(choice);
    else return key === 'Enter';
    return true;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // While an input method composes, its keys are its own.
    if (event.nativeEvent.isComposing || !act(event.key)) return;
    event.preventDefault();
    // Escape would close the dialog around the field too.
    event.stopPropagation();
  };
  return { active, setActive, onKeyDown };
}

interface OptionProps {
  readonly id: string;
  readonly choice: Offered;
  readonly isActive: boolean;
  readonly onPoint: () => void;
  readonly onChoose: () => void;
}

function Option({ id, choice, isActive, onPoint, onChoose }: OptionProps) {
  const { text } = useSpeech();
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field, which keeps the focus.
    <div
      ref={(element) => {
        if (isActive) element?.scrollIntoView({ block: 'nearest' });
      }}
      id={id}
      role="option"
      aria-selected={isActive}
      className={styles['item']}
      onPointerMove={onPoint}
      onClick={onChoose}
    >
      <span dir="auto">{choice.name}</span>{' '}
      <span className={styles['detail']} dir="auto">
        {choice.detail ?? (isAccess(choice.type) && text(`type.${choice.type}`))}
      </span>
    </div>
  );
}

const isAccess = (type: string): type is AccessRef['type'] => ['ROLE', 'ACCESS_PROFILE', 'ENTITLEMENT'].includes(type);
