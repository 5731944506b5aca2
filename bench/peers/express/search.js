import { invalid } from './validation.js'

const maxSearchWords = 10

/** Case and accents off, as far as Unicode's decomposition takes them off. */
const fold = (text) =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()

/** What a student is found by. */
export const searchText = (name, admissionNumber) => fold(`${name} ${admissionNumber}`)

/** One LIKE pattern for each word of a search. */
function searchPatterns(search) {
  const words = fold(search).split(/\s+/).filter(Boolean)
  if (words.length > maxSearchWords) throw invalid([{ field: 'search', message: 'has too many words' }])
  return words.map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`)
}

/** Makes the function that finds a page of the students in whom every word of a search occurs. */
export function pageFinder(db, statements) {
  return db.transaction((search, { limit, offset }) => {
    const patterns = searchPatterns(search)
    const { count, page } = statements.matching(patterns.length)
    const rows = page.all(...patterns, limit, offset)
    // The last page tells the total: there is no need to scan again.
    const isLast = rows.length < limit && (rows.length > 0 || offset === 0)
    return { rows, total: isLast ? offset + rows.length : count.get(...patterns) }
  })
}
