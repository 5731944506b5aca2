import { uniqueKey } from '../../text/normalise.ts'
import { fold, furtherWords, searchText } from '../../text/search-words.ts'
import { shownIdentifiers } from '../identifiers.ts'

/** What of a student the derived columns are made of. */
const sources = [
  ...(['name', 'admission_number', 'preferred_name', 'family_name', 'former_names'] as const),
  'identifiers',
] as const

type Source = (typeof sources)[number]

/** These, as in the table. */
export interface NamedStudent extends Readonly<Partial<Record<Source, string | null>>> {
  readonly name: string
  readonly admission_number: string
  /** Another key than the number's: of twins from before keys were compared as now, one alone has the number's. */
  readonly admission_key?: string
}

/** Whether columns follow from these. */
export function changesDerived(changed: Readonly<Partial<Record<Source, unknown>>>): boolean {
  return sources.some((one) => changed[one] !== undefined)
}

/** The columns by which a student is found, sorted and told apart. An engine has one that is searched besides. */
export interface DerivedColumns {
  readonly admission_key: string
  readonly folded_name: string
  readonly folded_family_name: string | null
  readonly search_text?: string
  readonly further_words?: string
}

/** PostgreSQL stores the whole `search_text`, which its trigram index holds. */
export function postgresDerived(student: NamedStudent): DerivedColumns {
  return { ...sortedColumns(student), search_text: searchText(...searchedTexts(student)) }
}

/** SQLite makes `search_text` by itself, of these columns. */
export function sqliteDerived(student: NamedStudent): DerivedColumns {
  const columns = sortedColumns(student)
  const { folded_name, admission_key } = columns
  return { ...columns, further_words: furtherWords(folded_name, admission_key, ...searchedTexts(student)) }
}

/** The columns that both engines have. */
function sortedColumns({
  name,
  family_name,
  admission_number,
  admission_key = uniqueKey(admission_number),
}: NamedStudent) {
  const folded_family_name = family_name ? fold(family_name) : null
  return { admission_key, folded_name: fold(name), folded_family_name }
}

/** The texts that a student is found by. */
function searchedTexts({ name, preferred_name, former_names, admission_number, identifiers }: NamedStudent) {
  const values = shownIdentifiers(identifiers ?? null)?.map(({ value }) => value) ?? []
  return [name, preferred_name ?? '', former_names ?? '', admission_number, ...values]
}
