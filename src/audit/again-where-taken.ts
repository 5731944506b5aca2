import { Problem, type ProblemCode } from '../problems.ts'

/** How often an undo is tried: each time, somebody else may take something. */
const mostTries = 5

const taken: readonly ProblemCode[] = [
  'admission_number_taken',
  'identifier_taken',
  'class_label_taken',
  'class_in_use',
]

/**
 * Does the write of an undo again where somebody took what it was giving back, after it had looked. On PostgreSQL that
 * ends the write, once the other's has ended; one that looks again keeps what is taken.
 */
export async function againWhereTaken<Result>(undo: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await undo()
    } catch (error) {
      if (!(error instanceof Problem && taken.includes(error.code)) || tries === mostTries) throw error
    }
  }
}
