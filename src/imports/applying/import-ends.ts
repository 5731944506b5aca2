import type { Failure } from '../model.ts'

/** Why an import cannot go on, and undoes itself; its message is a sentence for people. */
export class ImportEnds extends Error {
  override readonly name = 'ImportEnds'
  readonly code: Failure['code']

  constructor(code: Failure['code'], detail: string) {
    super(detail)
    this.code = code
  }
}
