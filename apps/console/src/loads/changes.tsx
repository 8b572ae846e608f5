import type { SourceLoad } from '@access-admin/client';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { type Fact, Facts } from '../ui/facts.tsx';
import { DETAILS_TEXTS } from './details-texts.ts';

export interface ChangesProps {
  readonly summary: NonNullable<SourceLoad['summary']>;
  /** Whether it stands in a narrow column. */
  readonly isStacked?: boolean;
}

/** What a load has changed, or would change, in words; only accounts, their access and violations are told where nothing of them changes. */
export function Changes({ summary, isStacked = false }: ChangesProps) {
  const pageText = usePageTexts(DETAILS_TEXTS);
  const { number } = useSpeech();
  const { accounts, access, identities, catalogue, correlated, disabled, violations } = summary;
  const said = (
    name: 'accounts' | 'access' | 'people' | 'catalogue' | 'links' | 'violations',
    counts: Counts,
  ): Fact => ({
    name: pageText(name),
    value: sayCounts(counts, pageText),
  });
  const facts = [
    said('accounts', accounts),
    said('access', { created: access.added, deleted: access.removed }),
    ...(isSome(identities) ? [said('people', identities)] : []),
    ...(isSome(catalogue) ? [said('catalogue', catalogue)] : []),
    ...(isSome(correlated) ? [said('links', correlated)] : []),
    ...(violations === undefined ? [] : [said('violations', violations)]),
    ...(disabled > 0 ? [{ name: pageText('disabled'), value: number(disabled) }] : []),
  ];
  return <Facts isStacked={isStacked} facts={facts} />;
}

const KINDS = [
  'created',
  'updated',
  'deleted',
  'unchanged',
  'byRule',
  'byHand',
  'ambiguous',
  'none',
  'opened',
  'ended',
] as const;

type Counts = Partial<Readonly<Record<(typeof KINDS)[number], number>>>;

const isSome = (counts: Counts): boolean => KINDS.some((kind) => (counts[kind] ?? 0) > 0);

function sayCounts(counts: Counts, pageText: ReturnType<typeof usePageTexts<keyof Counts | 'nothing'>>): string {
  const said = KINDS.flatMap((kind) => {
    const { [kind]: count = 0 } = counts;
    return count > 0 ? pageText(kind, { count }) : [];
  });
  return said.length === 0 ? pageText('nothing') : said.join(', ');
}
