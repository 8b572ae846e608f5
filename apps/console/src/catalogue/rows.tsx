import type { AccessRef } from '@access-admin/client';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import type { AccessRecord } from '../service/access/queries.ts';
import { AccessLink } from '../ui/access-link.tsx';
import { Cell, type NarrowPlace } from '../ui/tables/cell.tsx';
import { LongTable, type LongTableProps } from '../ui/tables/long-table.tsx';
import { CATALOGUE_TEXTS } from './texts.ts';

interface RowsProps extends Pick<LongTableProps<AccessRecord>, 'items' | 'total' | 'hasMore' | 'onEnd'> {
  readonly type: AccessRef['type'];
}

/** On a narrow screen. */
const NARROW = { name: 'title', id: 'line', more: 'end' } as const satisfies Record<string, NarrowPlace>;

/** Access of one kind as a table. */
export function Rows({ type, ...props }: RowsProps) {
  const { text, number } = useSpeech();
  const pageText = usePageTexts(CATALOGUE_TEXTS);
  const isItem = type === 'ENTITLEMENT';
  const more = pageText(isItem ? 'source' : 'content');
  return (
    <LongTable
      {...props}
      label={text('nav.access')}
      heads={[
        { label: pageText('name'), narrow: NARROW.name },
        { label: pageText('id'), narrow: NARROW.id },
        { label: more, isNumber: !isItem, narrow: NARROW.more },
      ]}
    >
      {({ id, name, source, content }) => (
        <>
          <Cell narrow={NARROW.name} title={name}>
            <AccessLink of={{ type, id }}>
              <bdi>{name}</bdi>
            </AccessLink>
          </Cell>
          <Cell narrow={NARROW.id} title={id}>
            <bdi>{id}</bdi>
          </Cell>
          <Cell narrow={NARROW.more} label={more} isNumber={!isItem}>
            {isItem ? <bdi>{source ?? '–'}</bdi> : number(content.length)}
          </Cell>
        </>
      )}
    </LongTable>
  );
}
