/**
 * Everything that can go wrong in an answer: stable code → HTTP status and title.
 * Codes are public API; `docs/errors.md` lists the same, and a test holds the two together.
 */
export const problemTable = {
  malformed_json: [400, 'The body is not JSON'],
  malformed_request: [400, 'The request is malformed'],
  invalid_credentials: [401, 'Wrong e-mail or password'],
  token_missing: [401, 'A token is needed'],
  token_invalid: [401, 'The token is not valid'],
  permission_denied: [403, 'Permission denied'],
  registration_closed: [403, 'Registration is closed'],
  cross_origin: [403, 'Not from a page of this server'],
  password_change_required: [403, 'The password must be changed first'],
  exceeds_own_permissions: [403, 'More than you may do yourself'],
  route_not_found: [404, 'No such route'],
  student_not_found: [404, 'No such student'],
  class_not_found: [404, 'No such class'],
  user_not_found: [404, 'No such account'],
  role_not_found: [404, 'No such role'],
  field_not_found: [404, 'No such field'],
  session_not_found: [404, 'No such session'],
  change_set_not_found: [404, 'No such change set'],
  list_not_found: [404, 'No such list'],
  import_not_found: [404, 'No such import'],
  import_mapping_not_found: [404, 'No such mapping'],
  method_not_allowed: [405, 'Method not allowed'],
  request_timeout: [408, 'The request took too long to arrive'],
  email_taken: [409, 'The e-mail address is taken'],
  admission_number_taken: [409, 'The admission number is taken'],
  identifier_taken: [409, 'The identifier is taken'],
  possible_duplicate: [409, 'The student may be there already'],
  class_label_taken: [409, 'The label is taken'],
  class_in_use: [409, 'The class has or had students'],
  field_label_taken: [409, 'The label is taken'],
  field_key_taken: [409, 'The key is taken'],
  field_in_use: [409, 'Students have values of the field'],
  option_in_use: [409, 'Students have the option'],
  too_many_fields: [409, 'There are as many fields as there may be'],
  user_in_use: [409, 'The account has or had a role'],
  role_name_taken: [409, 'The name is taken'],
  role_in_use: [409, 'The role is granted to accounts'],
  role_built_in: [409, 'The role is built in'],
  list_name_taken: [409, 'The name is taken'],
  too_many_lists: [409, 'There are too many lists'],
  last_administrator: [409, 'The last administrator stays'],
  own_account: [409, 'Not on your own account'],
  too_many_imports: [409, 'There are too many imports'],
  import_state: [409, 'The import is in another state'],
  plan_outdated: [409, 'Records changed since the plan'],
  counts_differ: [409, 'The plan has other counts'],
  threshold_exceeded: [409, 'More changes than expected'],
  rows_undecided: [409, 'Rows are not decided'],
  change_set_undone: [409, 'The change set is undone already'],
  change_set_not_undoable: [409, 'The change set cannot be undone'],
  precondition_failed: [412, 'The record has changed'],
  body_too_large: [413, 'The body is too large'],
  file_too_large: [413, 'The file is too large'],
  uri_too_long: [414, 'The URL is too long'],
  unsupported_media_type: [415, 'Unsupported media type'],
  expectation_failed: [417, 'Expectation failed'],
  validation_failed: [422, 'Some values are not valid'],
  idempotency_key_reused: [422, 'The Idempotency-Key was used for something else'],
  precondition_required: [428, 'If-Match is needed'],
  too_many_attempts: [429, 'Too many attempts'],
  headers_too_large: [431, 'The request headers are too large'],
  internal_error: [500, 'Internal error'],
  method_not_implemented: [501, 'Method not implemented'],
  transfer_coding_not_implemented: [501, 'Transfer coding not implemented'],
  overloaded: [503, 'Overloaded'],
  database_unavailable: [503, 'The database is unavailable'],
  database_damaged: [503, 'The database is damaged'],
  database_file_gone: [503, "The database's file is gone"],
  shutting_down: [503, 'Shutting down'],
} as const satisfies Record<string, readonly [status: number, title: string]>

/** A stable problem code, for example `student_not_found`. */
export type ProblemCode = keyof typeof problemTable

/** The values that the sentence about a bad field depends on, so that a client can translate it. */
export interface FaultParams {
  /** The most or the fewest items, characters or words. */
  readonly limit: number
  readonly minimum: number
  readonly maximum: number
  /** The names or values that are accepted here. */
  readonly accepted: readonly string[]
  /** The JSON types that are accepted here. */
  readonly types: readonly string[]
  /** The `format` of the field's schema. */
  readonly format: string
  readonly made_of: 'email' | 'name' | 'service'
}

/**
 * What can be wrong with a field: stable code → the names of its `params`.
 * Codes are public API; `docs/errors.md` lists the same, and a test holds the two together.
 */
export const faultTable = {
  required: [],
  unknown_member: ['accepted'],
  unknown_parameter: ['accepted'],
  wrong_type: ['types'],
  not_allowed: ['accepted'],
  too_few: ['limit'],
  too_many: ['limit'],
  too_short: ['limit'],
  too_long: ['limit'],
  out_of_range: ['minimum', 'maximum'],
  invalid_format: ['format'],
  invalid: [],
  too_many_words: ['limit'],
  in_future: [],
  taken: [],
  duplicate: [],
  unknown_class: [],
  archived_class: [],
  archived_field: [],
  option_in_use: ['accepted'],
  unknown_role: [],
  unknown_student: [],
  unknown_row: [],
  wrong_outcome: ['accepted'],
  no_plan: [],
  needs_all_classes: [],
  common_password: [],
  guessable_password: ['made_of'],
  unchanged: [],
  wrong_password: [],
} as const satisfies Record<string, readonly (keyof FaultParams)[]>

/** A stable code of a bad field, for example `too_long`. */
export type FaultCode = keyof typeof faultTable

/**
 * What is wrong, what would be right (a sentence that continues the field's name: `must be …`), and the code's
 * params.
 */
export type Fault = {
  [Code in FaultCode]: { readonly code: Code; readonly detail: string } & ParamsOf<Code>
}[FaultCode]

type ParamsOf<Code extends FaultCode> = (typeof faultTable)[Code] extends readonly []
  ? { readonly params?: never }
  : { readonly params: Pick<FaultParams, (typeof faultTable)[Code][number]> }

/** One bad field: where it is (JSON Pointer, RFC 6901), and what is wrong with it. */
export type FieldFault = Fault & { readonly pointer: string }

/** The student who has what another one was to get; `former`: had it. */
export interface Holder {
  readonly id: number
  readonly name: string
  readonly class_id: number
  readonly class: string
  readonly former?: true
}

/** What a problem may carry besides its code and detail. */
interface ProblemExtras {
  readonly errors?: readonly FieldFault[]
  readonly headers?: Readonly<Record<string, string>>
  readonly closeConnection?: boolean
  readonly cause?: unknown
  /** Ids of the records that the problem is about (an extension member, RFC 9457 §3.2). */
  readonly ids?: readonly number[]
  /** Who has what is taken, where the caller may see them (an extension member too). */
  readonly holder?: Holder | undefined
}

/** An error whose message was written for the person who meets it: it is shown without a stack. */
export class ExplainedError extends Error {}

/** A failure that has an answer (RFC 9457). `detail` tells the caller what would be right; it never echoes values. */
export class Problem extends ExplainedError {
  readonly code: ProblemCode
  readonly status: number
  readonly title: string
  readonly detail: string
  readonly errors: readonly FieldFault[] | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly closeConnection: boolean
  readonly ids: readonly number[] | undefined
  readonly holder: Holder | undefined

  constructor(code: ProblemCode, detail: string, extras: ProblemExtras = {}) {
    super(detail, { cause: extras.cause })
    this.name = 'Problem'
    const [status, title] = problemTable[code]
    this.code = code
    this.status = status
    this.title = title
    this.detail = detail
    this.errors = extras.errors
    this.headers = extras.headers ?? {}
    this.closeConnection = extras.closeConnection ?? false
    this.ids = extras.ids
    this.holder = extras.holder
  }
}

/** The problem as the wire carries it: RFC 9457 members, the contract's `success`, and our `code`. */
export function problemBody(problem: Problem, requestId: string) {
  return {
    success: false,
    type: `urn:registrar:problem:${problem.code}`,
    title: problem.title,
    status: problem.status,
    detail: problem.detail,
    message: problem.detail,
    code: problem.code,
    request_id: requestId,
    ...(problem.errors && { errors: problem.errors }),
    ...(problem.ids && { ids: problem.ids }),
    ...(problem.holder && { holder: problem.holder }),
  }
}

/** A 422 for one field. */
export function invalidField(pointer: string, fault: Fault): Problem {
  return new Problem('validation_failed', `${pointer} ${fault.detail}.`, { errors: [{ pointer, ...fault }] })
}

/** A problem after which the connection is closed: what else the client sends can't be told apart, or is too much. */
export function closing(code: ProblemCode, detail: string, cause?: unknown): Problem {
  return new Problem(code, detail, { closeConnection: true, cause })
}

/** A 503 that says when to come back. */
export function unavailable(
  code: 'overloaded' | 'shutting_down' | `database_${'unavailable' | 'damaged' | 'file_gone'}`,
  detail: string,
  { cause, seconds = 1 }: { readonly cause?: unknown; readonly seconds?: number } = {},
) {
  return new Problem(code, detail, { headers: { 'Retry-After': String(seconds) }, cause })
}
