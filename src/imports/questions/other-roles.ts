import { foldHeading } from '../columns/headings.ts'

const folded = (words: string): ReadonlySet<string> => new Set(words.split(',').map(foldHeading))

/** Headings of what people are. */
const headings = folded(
  'role,roles,user role,user type,person type,Rolle,Benutzerrolle,rôle,rol,tipo de usuario,الدور',
)

const students = folded(
  'student,pupil,learner,Schüler,Schülerin,Schüler/in,Schueler,élève,alumno,alumna,estudiante,طالب,طالبة,تلميذ,تلميذة',
)

/** Counts the rows of people who are no students, where a column such as `role` says of others that they are. */
export class OtherRoles {
  /** The place of the column; below zero: there is none. */
  readonly at: number
  #students = 0
  #others = 0

  constructor(header: readonly string[]) {
    this.at = header.findIndex((heading) => headings.has(foldHeading(heading)))
  }

  add(cells: readonly string[]): void {
    const role = (cells[this.at] ?? '').trim()
    if (role === '') return
    if (students.has(foldHeading(role))) this.#students++
    else this.#others++
  }

  get rows(): number {
    return this.#students === 0 ? 0 : this.#others
  }
}
