import {
  type ListStudentsData,
  listDoubles,
  listImports,
  listStudents,
  type Pagination,
} from '../../client/src/index.ts'
import { call, type Outcome } from '../api/calls.ts'
import { studentsPath } from '../frame/address.ts'
import { classesSeenWhole, may, mayForAll } from '../session/session.ts'
import type { TodayTexts } from './en.ts'

/** What the office may want to look at: how many there are, and where they are listed. */
export interface Watched {
  readonly name: keyof TodayTexts['watched']
  readonly path: string
  /** Whether nothing is said where there is none. */
  readonly isRare?: boolean
  readonly count: () => Promise<Outcome<number>>
}

/** Of what the account may see; an empty register lacks nothing. Each count is the total of the list that its link opens. */
export function watched(isEmpty: boolean): readonly Watched[] {
  const all: Watched[] = []
  const seen = classesSeenWhole()
  const lists = may('students.view') && !isEmpty
  if (lists && seen.length > 0)
    all.push(lacking('birth', 'date_of_birth.empty', seen), lacking('phone', 'guardian_phone.empty', seen))
  if (lists)
    all.push({
      name: 'doubles',
      path: '#/doubles',
      count: () => totalOf(() => listDoubles({ query: { per_page: 1 } })),
    })
  if (may('students.import'))
    all.push({ name: 'imports', path: '#/imports?unfinished=true', count: unfinished('students') })
  if (mayForAll('classes.manage')) {
    const path = '#/imports?kind=classes&unfinished=true'
    all.push({ name: 'classImports', path, count: unfinished('classes'), isRare: true })
  }
  return all
}

const unfinished = (kind: 'students' | 'classes') => () =>
  totalOf(() => listImports({ query: { kind, unfinished: 'true', per_page: 1 } }))

/** Students without something that only those see who see all of a student. */
function lacking(
  name: Watched['name'],
  filter: 'date_of_birth.empty' | 'guardian_phone.empty',
  seen: 'all' | readonly number[],
): Watched {
  const classIds = seen === 'all' ? [] : seen
  const query = new URLSearchParams(classIds.map((id) => ['class', String(id)]))
  query.set(filter, 'true')
  return {
    name,
    path: `${studentsPath}?${query}`,
    count: () => countStudents({ [filter]: 'true', ...(classIds.length > 0 && { class_id: [...classIds] }) }),
  }
}

/** How many students a list has. */
export const countStudents = (query: ListStudentsData['query'] = {}): Promise<Outcome<number>> =>
  totalOf(() => listStudents({ query: { ...query, columns: 'id', per_page: 1 } }))

interface Listed {
  readonly data?: { readonly pagination: Pagination } | undefined
  readonly error?: unknown
  readonly response?: Response | undefined
}

async function totalOf(list: () => Promise<Listed>): Promise<Outcome<number>> {
  const came = await call(list)
  return came.is === 'failed' ? came : { ...came, data: came.data.pagination.total }
}
