import { Dialog } from '@base-ui/react/dialog';
import { useQuery } from '@tanstack/react-query';
import { linkOptions, type NavigateOptions, useRouter } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useId, useMemo, useState } from 'react';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { missingRight, type Right } from '../service/rights.ts';
import { foldName } from '../service/search-parts.ts';
import { sessionQuery } from '../service/session.ts';
import { NEW_WEBHOOK } from '../service/settings/webhooks.ts';
import { SECTIONS } from '../settings/sections.ts';
import { SETTINGS_TEXTS } from '../settings/texts.ts';
import { useMissing } from '../settings/use-missing.ts';
import dialog from '../ui/dialogs/alert.module.css';
import { Icon, type IconName } from '../ui/icon.tsx';
import styles from './palette.module.css';
import { everythingQuery, type Found, GROUPS, type Group } from './query.ts';
import { SEARCH_TEXTS } from './texts.ts';
import { usePageGroups } from './use-page-groups.ts';

export interface PaletteProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Something that can be chosen. */
interface Choice extends Pick<Found, 'key' | 'link'> {
  readonly name: string;
  readonly detail: string | null;
  readonly icon: IconName;
}

interface Section {
  readonly name: string;
  readonly choices: readonly Choice[];
}

const ICONS: Readonly<Record<Group, IconName>> = {
  records: 'search',
  people: 'people',
  policies: 'policies',
  violations: 'violations',
  access: 'access',
  controls: 'controls',
  sources: 'sources',
  settings: 'settings',
};

/** What is created from anywhere, by those with the right. */
const CREATIONS = [
  {
    name: 'new-policy',
    icon: 'policies',
    link: linkOptions({ to: '/policies/new' }),
    right: 'change',
  },
  {
    name: 'invite',
    icon: 'people',
    link: linkOptions({ to: '/people', search: { create: 'invite' } }),
    right: 'create',
  },
  {
    name: 'new-source',
    icon: 'sources',
    link: linkOptions({ to: '/sources', search: { create: 'source' } }),
    right: 'sources',
  },
  {
    name: 'new-webhook',
    icon: 'settings',
    link: linkOptions({ to: '/settings/webhooks', search: { webhook: NEW_WEBHOOK } }),
    right: 'webhooks',
  },
] as const satisfies readonly {
  readonly name: string;
  readonly icon: IconName;
  readonly link: NavigateOptions;
  readonly right: Right;
}[];

// Long enough that most keys cause no request.
const TYPING_MS = 120;

/** Finds pages, people, policies, violations, access, controls, sources and settings, each by a part of its name, and anything by its id. */
export function Palette({ isOpen, onClose }: PaletteProps) {
  const pageText = usePageTexts(SEARCH_TEXTS);
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={dialog['veil']} />
        <Dialog.Popup className={styles['palette']}>
          <Dialog.Title className="away">{pageText('title')}</Dialog.Title>
          <Search onClose={onClose} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Search({ onClose }: Pick<PaletteProps, 'onClose'>) {
  const { text } = useSpeech();
  const pageText = usePageTexts(SEARCH_TEXTS);
  const router = useRouter();
  const id = useId();
  const [typed, setTyped] = useState('');
  const [wanted, setWanted] = useState(0);
  const { sections, said } = useSections(typed.trim());
  const choices = sections.flatMap((section) => section.choices);
  const active = Math.min(wanted, Math.max(0, choices.length - 1));
  const choose = ({ link }: Choice) => {
    onClose();
    router.navigate(link);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const choice = choices[active];
    if (event.nativeEvent.isComposing || choice === undefined) return;
    if (event.key === 'Enter') choose(choice);
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp')
      setWanted((active + (event.key === 'ArrowDown' ? 1 : -1) + choices.length) % choices.length);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div className={styles['top']}>
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          className={styles['field']}
          aria-label={pageText('title')}
          placeholder={pageText('field')}
          dir="auto"
          autoComplete="off"
          spellCheck={false}
          aria-autocomplete="list"
          aria-expanded={choices.length > 0}
          aria-controls={choices.length > 0 ? id : undefined}
          aria-activedescendant={choices.length > 0 ? `${id}-${active}` : undefined}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
            setWanted(0);
          }}
          onKeyDown={onKeyDown}
        />
        <Dialog.Close className="button">{text('state.close')}</Dialog.Close>
      </div>
      <p role="status" className={styles['said']}>
        {said}
      </p>
      {choices.length > 0 && (
        <div id={id} role="listbox" aria-label={pageText('title')} className={styles['list']}>
          {sections.map((section, at) => (
            <Options
              key={section.name}
              id={id}
              section={section}
              from={sections.slice(0, at).reduce((sum, each) => sum + each.choices.length, 0)}
              active={active}
              onPoint={setWanted}
              onChoose={choose}
            />
          ))}
        </div>
      )}
    </>
  );
}

interface OptionsProps {
  readonly id: string;
  readonly section: Section;
  /** The place of its first choice among those of all sections. */
  readonly from: number;
  readonly active: number;
  readonly onPoint: (at: number) => void;
  readonly onChoose: (choice: Choice) => void;
}

function Options({ id, section: { name, choices }, from, active, onPoint, onChoose }: OptionsProps) {
  return (
    <div role="group" aria-label={name}>
      <p className={styles['group']} aria-hidden="true">
        {name}
      </p>
      {choices.map((choice, place) => {
        const at = from + place;
        return (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field, which keeps the focus.
          <div
            key={choice.key}
            ref={(element) => {
              if (at === active) element?.scrollIntoView({ block: 'nearest' });
            }}
            id={`${id}-${at}`}
            role="option"
            aria-selected={at === active}
            className={styles['option']}
            onPointerMove={() => onPoint(at)}
            onClick={() => onChoose(choice)}
          >
            <Icon name={choice.icon} />
            <span className={styles['name']} dir="auto">
              {choice.name}
            </span>
            {choice.detail !== null && (
              <span className={styles['detail']} dir="auto">
                {choice.detail}
              </span>
            )}
          </div>
        );
      })}
    </div>
  );
}

/** What is offered for a text, and what is said of it. */
function useSections(typed: string): { readonly sections: readonly Section[]; readonly said: string } {
  const { text } = useSpeech();
  const pageText = usePageTexts(SEARCH_TEXTS);
  const pages = usePages(typed);
  const sought = useSettled(typed);
  const { data, isError, isFetching } = useQuery(everythingQuery(useApi(), sought));
  const isPending = typed !== sought || isFetching;
  const sections = useMemo(() => {
    const found = typed === '' ? [] : (data ?? []);
    const named = (each: Found): Choice => {
      const { key, link, group, kind, detail } = each;
      const word =
        kind === undefined
          ? null
          : kind === 'ROLE' || kind === 'ACCESS_PROFILE' || kind === 'ENTITLEMENT'
            ? text(`type.${kind}`)
            : pageText(kind);
      const details = [each.name === null ? null : word, detail].filter((part) => part !== null);
      return { key, link, name: each.name ?? word ?? '', detail: details.join(' · ') || null, icon: ICONS[group] };
    };
    const groups = GROUPS.map((group) => ({
      name: pageText(group),
      choices: found.filter((each) => each.group === group).map(named),
    }));
    return [{ name: pageText('pages'), choices: pages }, ...groups].filter(({ choices }) => choices.length > 0);
  }, [typed, data, pages, text, pageText]);
  const count = sections.reduce((sum, { choices }) => sum + choices.length, 0);
  if (typed === '') return { sections, said: pageText('hint') };
  if (isError && !isPending) return { sections, said: pageText('failed') };
  if (count > 0) return { sections, said: isPending ? '' : pageText('found', { count }) };
  return { sections, said: isPending ? text('state.loading') : pageText('nothing') };
}

/** The pages that can show something to the session, and what it may create, whose name contains a text; all without one. */
function usePages(typed: string): readonly Choice[] {
  const { text } = useSpeech();
  const pageText = usePageTexts(SEARCH_TEXTS);
  const settingsText = usePageTexts(SETTINGS_TEXTS);
  const session = useQuery(sessionQuery(useApi()));
  const groups = usePageGroups();
  const missing = useMissing();
  const named = groups.flatMap(({ pages }) =>
    pages.map(({ name, link }): Choice => ({ key: name, name: text(`nav.${name}`), detail: null, icon: name, link })),
  );
  const sections = SECTIONS.filter(({ name }) => missing(name) === null).map(
    ({ name, link }): Choice => ({
      key: `settings ${name}`,
      name: settingsText(name),
      detail: text('nav.settings'),
      icon: 'settings',
      link,
    }),
  );
  const creations = CREATIONS.filter(
    ({ right }) => session.data !== undefined && missingRight(right, session.data) === null,
  ).map(({ name, icon, link }): Choice => ({ key: name, name: pageText(name), detail: null, icon, link }));
  const sought = foldName(typed);
  return [...named, ...sections, ...creations].filter(({ name }) => foldName(name).includes(sought));
}

/** A text as it is once nothing has been typed for a moment. */
function useSettled(typed: string): string {
  const [settled, setSettled] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return settled;
}
