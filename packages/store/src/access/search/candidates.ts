import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import { isPostgres } from '../../engine/is-postgres.ts';
import { allOf } from '../../query/order.ts';

/** A folded text that one of some columns begins with or contains. */
export interface TextTest {
  readonly columns: readonly ('id' | 'name' | 'uid' | 'email')[];
  readonly operator: 'sw' | 'co';
  readonly part: string;
}

/** What the indexes can look for: texts, and sets of words one of which an entry has. */
export interface IndexTests {
  readonly texts: readonly TextTest[];
  readonly words: readonly (readonly string[])[];
}

/** What to select from, and a condition that all matches of the tests meet; some others may meet it, too. */
interface Candidates {
  readonly source: RawBuilder<unknown>;
  readonly condition: RawBuilder<boolean>;
}

/** Whether the indexes of both engines have trigrams of such a text. Those of PostgreSQL have letters and digits alone. */
export const isIndexed = ({ operator, part }: Pick<TextTest, 'operator' | 'part'>): boolean =>
  operator === 'sw' ? /^[\p{L}\p{N}]/u.test(part) : /[\p{L}\p{N}]{3}/u.test(part);

export const candidatesOf = (db: QueryExecutorProvider, tests: IndexTests): Candidates =>
  isPostgres(db) ? postgresCandidates(tests) : sqliteCandidates(tests);

/** PostgreSQL combines its indexes by itself. */
const postgresCandidates = ({ texts, words }: IndexTests): Candidates => ({
  source: sql`search_entry`,
  condition: allOf([
    ...texts.map(({ columns, operator, part }): RawBuilder<boolean> => {
      const pattern = `${operator === 'co' ? '%' : ''}${part.replace(/[\\%_]/g, '\\$&')}%`;
      const likes = columns.map((column) =>
        column === 'id' ? sql`lower(id) like ${pattern}` : sql`${sql.ref(column)} like ${pattern}`,
      );
      return sql`(${sql.join(likes, sql` or `)})`;
    }),
    ...words.map((some): RawBuilder<boolean> => sql`string_to_array(words, ' ') && ${`{${some.join()}}`}::text[]`),
  ]),
});

/** SQLite reads one index: that of texts, if there is one to look for. The join keeps its order, so that a limit ends both. */
function sqliteCandidates({ texts, words }: IndexTests): Candidates {
  const index = sql.table(texts.length > 0 ? 'search_text' : 'search_word');
  const match =
    texts.length > 0
      ? texts.map(matchOfText).join(' AND ')
      : words.map((some) => `(${some.map(quoted).join(' OR ')})`).join(' AND ');
  return {
    source: sql`${index} cross join search_entry on search_entry.number = ${index}.rowid`,
    condition: sql`${index} match ${match}`,
  };
}

const TRIGRAM = 3;
const quoted = (token: string): string => `"${token.replaceAll('"', '""')}"`;

function matchOfText({ columns, operator, part }: TextTest): string {
  // The index has two spaces before each text.
  const characters = [...(operator === 'sw' ? `  ${part}` : part)];
  const last = characters.length - TRIGRAM;
  // Every third and the last have all characters: more would cost more than they exclude.
  const starts = characters.map((_, at) => at).filter((at) => at === last || (at < last && at % TRIGRAM === 0));
  const trigrams = starts.map((at) => quoted(characters.slice(at, at + TRIGRAM).join('')));
  return `({${columns.join(' ')}} : (${trigrams.join(' AND ')}))`;
}
