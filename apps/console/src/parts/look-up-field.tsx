import type { AccessRef } from '@access-admin/client';
import { Combobox } from '@base-ui/react/combobox';
import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useSpeech } from '../languages/context.tsx';
import type { Offered } from '../service/look-ups.ts';
import styles from './look-up-field.module.css';

export interface LookUpFieldProps<Choice extends Offered, Key extends QueryKey> {
  readonly label: string;
  /** What is offered for a text. */
  readonly offer: (typed: string) => UseQueryOptions<readonly Choice[], Error, readonly Choice[], Key>;
  readonly onChoose: (choice: Choice) => void;
}

/** A field that offers records while somebody types, and is empty again after a choice. */
export function LookUpField<Choice extends Offered, Key extends QueryKey>({
  label,
  offer,
  onChoose,
}: LookUpFieldProps<Choice, Key>) {
  const { text } = useSpeech();
  const id = useId();
  const [typed, setTyped] = useState('');
  const offered = useQuery(offer(typed.trim()));
  // Until the answer is there, those of the text before are offered as far as they fit: never what was not typed.
  const sought = typed.trim().toLocaleLowerCase();
  const choices =
    sought === ''
      ? []
      : (offered.data ?? []).filter(
          ({ name }) => !offered.isPlaceholderData || name.toLocaleLowerCase().includes(sought),
        );
  return (
    <Combobox.Root<Choice>
      items={choices}
      filter={null}
      value={null}
      inputValue={typed}
      onInputValueChange={setTyped}
      onValueChange={(choice) => {
        if (choice === null) return;
        onChoose(choice);
        setTyped('');
      }}
      itemToStringLabel={({ name }) => name}
      isItemEqualToValue={(one, other) => one.type === other.type && one.id === other.id}
      autoHighlight
    >
      <div className={styles['field']}>
        <label htmlFor={id} className={styles['label']}>
          {label}
        </label>
        <Combobox.Input id={id} className={styles['input']} autoComplete="off" spellCheck={false} />
      </div>
      <Combobox.Portal>
        <Combobox.Positioner className={styles['place']} sideOffset={4}>
          <Combobox.Popup className={styles['popup']}>
            <Combobox.Empty className={styles['empty']}>
              {text(sought === '' ? 'look-up.type' : offered.isPending ? 'state.loading' : 'look-up.nothing')}
            </Combobox.Empty>
            <Combobox.List className={styles['list']}>
              {(choice: Choice) => (
                <Combobox.Item key={`${choice.type} ${choice.id}`} value={choice} className={styles['item']}>
                  <span dir="auto">{choice.name}</span>{' '}
                  <span className={styles['detail']} dir="auto">
                    {choice.detail ?? (isAccess(choice.type) && text(`type.${choice.type}`))}
                  </span>
                </Combobox.Item>
              )}
            </Combobox.List>
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  );
}

const isAccess = (type: string): type is AccessRef['type'] => ['ROLE', 'ACCESS_PROFILE', 'ENTITLEMENT'].includes(type);
