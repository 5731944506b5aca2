import type { SheetRefusal } from '../sheets/refusal.ts'
import type { Failure, ImportRow } from './model.ts'

/**
 * Why an import can't go on; its message is a sentence for people. One that is being applied is undone; one that is
 * being read is refused.
 */
export class ImportEnds extends Error {
  override readonly name = 'ImportEnds'
  readonly code: Failure['code']
  readonly params: Failure['params'] | undefined

  constructor({ code, detail, params }: Failure) {
    super(detail)
    this.code = code
    this.params = params
  }
}

/** What is told of an import that ends so. */
export function failureOf({ code, message, params }: ImportEnds | SheetRefusal): ImportRow['failure'] {
  return { code, detail: message, ...(params && { params }) }
}

/** Of an account that lost a right meanwhile. @param what it may not do any more */
export function mayNot(what: string): ImportEnds {
  const detail = `The account that applied it may not ${what} any more.`
  return new ImportEnds({ code: 'permission_denied', detail })
}
