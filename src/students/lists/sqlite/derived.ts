import { furtherWords } from '../../../text/search-words.ts'
import { type NamedStudent, searchedTexts, sortedColumns } from '../derived.ts'

/** SQLite makes `search_text` by itself, of these columns. */
export function sqliteDerived(student: NamedStudent) {
  const columns = sortedColumns(student)
  const { folded_name, admission_key } = columns
  return { ...columns, further_words: furtherWords(folded_name, admission_key, ...searchedTexts(student)) }
}
