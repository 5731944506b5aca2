import { searchText } from '../../../text/search-words.ts'
import { type NamedStudent, searchedTexts, sortedColumns } from '../derived.ts'

/** PostgreSQL stores the whole `search_text`, which its trigram index holds. */
export function postgresDerived(student: NamedStudent) {
  return { ...sortedColumns(student), search_text: searchText(...searchedTexts(student)) }
}
