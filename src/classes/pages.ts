import type { Scope } from '../access/scope.ts'
import { isOneOf } from '../db/is-one-of.ts'
import { type Page, type PageRequest, pageOf } from '../db/pages.ts'
import type { Db } from '../db/tables.ts'
import { searchPatterns, searchText } from '../text/search-words.ts'
import { classColumns, type ListedClass, toClass } from './queries.ts'

/** The filter of a list of classes. */
interface ClassFilter {
  readonly search: string
  /** Only those that are archived, or only those that are not. */
  readonly archived: boolean | undefined
}

/** One page in the order in which classes are shown, and how many there are; of those in the scope alone. */
export async function pageOfClasses(
  db: Db,
  scope: Scope,
  { search, archived }: ClassFilter,
  where: PageRequest,
): Promise<Page<ListedClass>> {
  const among = (ids: readonly number[]) => isOneOf(db, 'classes.id', ids)
  let classes = db.selectFrom('classes')
  if (scope !== 'all') classes = classes.where(among(scope))
  if (archived !== undefined) classes = classes.where('archived_at', archived ? 'is not' : 'is', null)
  const patterns = searchPatterns(search)
  if (patterns.length > 0) {
    // Labels are few and short, so they are folded when they are read, without a column or an index.
    const labels = await classes.select(['classes.id', 'classes.label']).execute()
    classes = classes.where(among(labels.filter(({ label }) => holds(label, patterns)).map(({ id }) => id)))
  }
  const shown = classes.select(classColumns).orderBy('classes.position').orderBy('classes.id')
  const { items, total } = await pageOf(shown, where)
  return { items: items.map(toClass), total }
}

function holds(label: string, patterns: readonly string[]): boolean {
  const text = searchText(label)
  return patterns.every((pattern) => text.includes(pattern))
}
