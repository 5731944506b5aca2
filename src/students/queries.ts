import type { RawBuilder } from 'kysely'
import { type AskingCaller, prepareAdmitted } from '../access/admission.ts'
import { prepare } from '../db/prepare.ts'
import type { Db, Instant } from '../db/tables.ts'
import { violatesForeignKey, violatesUnique } from '../db/violations.ts'
import type { Author } from '../events/write.ts'
import type { Page, PageRequest } from '../http/paging.ts'
import { invalidField, Problem } from '../problems.ts'
import { fold } from '../text/fold.ts'
import { admissionKey } from '../text/formats.ts'
import { maxSearchWords, searchPatterns, searchText } from '../text/search-words.ts'
import { enginePattern, totalOfStudents, withMatches } from './search.ts'

export interface Student {
  readonly id: number
  readonly name: string
  readonly admission_number: string
  readonly class_id: number
  readonly class: string
}

const studentColumns = [
  'students.id',
  'students.name',
  'students.admission_number',
  'students.class_id',
  'classes.label as class',
] as const

const selectStudents = (db: Db) =>
  db.selectFrom('students').innerJoin('classes', 'classes.id', 'students.class_id').select(studentColumns)

const selectStudent = prepareAdmitted<{ id: number }, StudentOrNone>((db, { id }) =>
  selectStudents(db).where('students.id', '=', id),
)

export async function findStudent(db: Db, caller: AskingCaller, id: number): Promise<Student | undefined> {
  const [row] = await selectStudent(db, caller, { id })
  return isStudent(row) ? row : undefined
}

interface PageValues {
  readonly limit: number
  readonly offset: number
}

/** All of a student is null on the one row that says there is none. */
type StudentOrNone = Student | { [Column in keyof Student]: null }

function isStudent<Row extends StudentOrNone>(row: Row | undefined): row is Row & Student {
  return row !== undefined && row.id !== null
}

/** A row of a page, beside the total. */
type PageRow = { total: number } & StudentOrNone

const selectPage = prepareAdmitted<PageValues, PageRow>((db, { limit, offset }) =>
  db
    .selectFrom(totalOfStudents(db).as('totals'))
    .leftJoin(selectStudents(db).orderBy('students.id').limit(limit).offset(offset).as('page'), (join) =>
      join.onTrue(),
    )
    .selectAll()
    .orderBy('page.id'),
)

/** The page of a search for so many words: `word0`, `word1` … are bound to their patterns. */
const selectMatchingPage = perCount((words) =>
  prepareAdmitted<PageValues & Record<string, string | number>, PageRow>((db, values) => {
    const patterns = Array.from({ length: words }, (_, i) => values[`word${i}`] as RawBuilder<string>)
    return withMatches(db, patterns)
      .selectFrom((q) =>
        q
          .selectFrom('matches')
          .select((q) => q.fn.countAll<number>().as('total'))
          .as('totals'),
      )
      .leftJoin(
        (q) =>
          q
            .selectFrom((q) =>
              q
                .selectFrom('matches')
                .select('matches.id')
                .orderBy('matches.id')
                .limit(values.limit!)
                .offset(values.offset!)
                .as('ids'),
            )
            .innerJoin('students', 'students.id', 'ids.id')
            .innerJoin('classes', 'classes.id', 'students.class_id')
            .select(studentColumns)
            .as('page'),
        (join) => join.onTrue(),
      )
      .selectAll()
      .orderBy('page.id')
  }),
)

/** Makes something for a count once, when it is first asked for. */
function perCount<Made>(make: (count: number) => Made): (count: number) => Made {
  const made = new Map<number, Made>()
  return (count) => {
    if (!made.has(count)) made.set(count, make(count))
    return made.get(count)!
  }
}

/**
 * One page, ordered by id, and the exact total of the same snapshot: one statement.
 * @throws Problem validation_failed when the search has too many words
 */
export async function pageOfStudents(
  db: Db,
  caller: AskingCaller,
  search: string,
  { page, perPage }: PageRequest,
): Promise<Page<Student>> {
  const values = { limit: perPage, offset: (page - 1) * perPage }
  const patterns = searchPatterns(search)
  if (patterns.length > maxSearchWords) throw tooManyWords()
  // No stored text holds a NUL, and the engines end a text at one.
  if (patterns.some((pattern) => pattern.includes('\0'))) {
    await caller.admission.check()
    return { items: [], total: 0 }
  }
  const words = patterns.map((pattern, i) => [`word${i}`, enginePattern(db, pattern)] as const)
  const rows =
    words.length === 0
      ? await selectPage(db, caller, values)
      : await selectMatchingPage(words.length)(db, caller, { ...values, ...Object.fromEntries(words) })
  return { items: rows.filter(isStudent), total: rows[0]!.total }
}

export interface NewStudent {
  readonly name: string
  readonly admission_number: string
  readonly class_id: number
}

/**
 * One statement: no row comes of it when there is no such class, whether or not the number is taken.
 * @returns the new student's id
 * @throws Problem validation_failed when there is no such class, or admission_number_taken
 */
export async function insertStudent(db: Db, _by: Author, student: NewStudent, now: Instant): Promise<number> {
  try {
    const [inserted] = await insertIntoClass(db, {
      ...student,
      admission_key: admissionKey(student.admission_number),
      folded_name: fold(student.name),
      search_text: searchText(student.name, student.admission_number),
      now,
    })
    if (inserted === undefined) throw unknownClass()
    return inserted.id
  } catch (error) {
    if (violatesUnique(error, 'students.admission_key')) throw admissionNumberTaken(error)
    throw violatesForeignKey(error) ? unknownClass() : error
  }
}

interface InsertedValues extends NewStudent {
  readonly admission_key: string
  readonly folded_name: string
  readonly search_text: string
  readonly now: Instant
}

const insertIntoClass = prepare<InsertedValues, { id: number }>((db, values) =>
  db
    .insertInto('students')
    .columns([
      'name',
      'admission_number',
      'admission_key',
      'class_id',
      'folded_name',
      'search_text',
      'created_at',
      'updated_at',
    ])
    .expression(
      db
        .selectFrom('classes')
        .select([
          values.name.as('name'),
          values.admission_number.as('admission_number'),
          values.admission_key.as('admission_key'),
          'classes.id as class_id',
          values.folded_name.as('folded_name'),
          values.search_text.as('search_text'),
          values.now.as('created_at'),
          values.now.as('updated_at'),
        ])
        .where('classes.id', '=', values.class_id),
    )
    .returning('id'),
)

function tooManyWords(): Problem {
  return invalidField('/search', 'too_many_words', `must have at most ${maxSearchWords} different words`)
}

function unknownClass(): Problem {
  const detail = 'must be the id of a class; the command "./registrar.js class list" lists them'
  return invalidField('/class_id', 'unknown_class', detail)
}

function admissionNumberTaken(cause: unknown): Problem {
  return new Problem(
    'admission_number_taken',
    'Another student has this admission number; numbers are unique, ignoring case.',
    {
      errors: [{ pointer: '/admission_number', code: 'taken', detail: 'is the number of another student' }],
      cause,
    },
  )
}
