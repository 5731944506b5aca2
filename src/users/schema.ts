import { maxBodyBytes } from '../http/errors.ts'
import { type Schema, Type } from '../http/json-schema.ts'
import * as api from '../http/operation.ts'
import { count, PageOf, pageParameters } from '../http/paging.ts'
import type { ProblemCode } from '../problems.ts'
import { maxSearchWords } from '../text/search-words.ts'
import { maxClassesOfGrant, maxEmailLength, maxNameLength, maxRoleNameLength } from './lengths.ts'
import { maxPasswordLength } from './passwords.ts'
import { idleDays } from './removal.ts'

export const accountName = api.Text('person-name', maxNameLength, 'Trimmed, and composed to NFC', 'Anna Berg')

const email = (example: string) =>
  Type.String({
    format: 'email',
    minLength: 3,
    maxLength: maxEmailLength,
    description: 'Trimmed and lower-cased',
    examples: [example],
  })

export const accountEmail = email('anna@school.example')

export const roleName = api.Text('role-name', maxRoleNameLength, api.uniqueName, 'Class teacher')

const passwordExample = 'correct horse battery'

/** @param minLength in code points, as the password policy asks */
export const newPassword = (
  minLength: number,
  description = 'Any characters; composed to NFC',
  example = passwordExample,
) =>
  Type.String({
    format: 'new-password',
    minLength,
    maxLength: maxPasswordLength,
    description,
    examples: [example],
  })

/** How often a record was changed, from 1. */
export const version = api.Version('Counts up with every change')

/** For which classes a role is granted. */
const classesOfGrant = (description: string, least: { readonly minItems?: number } = {}) =>
  Type.Nullable(
    Type.Array(api.Id('A class', 3), {
      ...least,
      maxItems: maxClassesOfGrant,
      description,
      examples: [[3, 5]],
    }),
  )

/** For which classes a role is to be granted. */
export const grantedClasses = classesOfGrant(
  'The classes that the role is granted for; null: all, those to come too',
  { minItems: 1 },
)

const Grant = Type.Object(
  {
    role_id: api.Id('The role', 3),
    role: Type.String({ maxLength: maxRoleNameLength, description: "The role's name", examples: ['viewer'] }),
    class_ids: classesOfGrant('The classes that it is granted for; null: all'),
  },
  { title: 'Grant' },
)

/** An account as administrators see it. */
export const Account = Type.Object(
  {
    id: api.Id('The account', 1),
    name: accountName,
    email: accountEmail,
    disabled: Type.Boolean({ description: 'Whether it can log in no longer', examples: [false] }),
    password_change_required: Type.Boolean({
      description: 'Whether an administrator set its password, which it must change before anything else',
      examples: [false],
    }),
    roles: Type.Array(Grant, { maxItems: 1000, description: 'The roles that it holds' }),
    version,
  },
  { title: 'User' },
)

const accountParams = api.IdParams('UserId', 'The account', 1)

export const listUsers = api.operation({
  operationId: 'listUsers',
  tags: ['users'],
  summary: 'List and search accounts',
  description: 'Ordered by id. A page past the end is empty, with the same total.',
  querystring: api.Query({
    ...pageParameters,
    ...Type.Partial({
      search: Type.String({
        maxLength: 100,
        description: `Words, at most ${maxSearchWords} different ones, that must all occur in the name or the e-mail address, as in the list of students`,
        examples: ['anna school.example'],
      }),
      role: Type.String({
        format: 'role-name',
        maxLength: maxRoleNameLength,
        description: 'Only accounts that hold the role of this name',
        examples: ['viewer'],
      }),
      state: Type.Enum(['active', 'disabled'], {
        description: 'Only accounts in this state',
        examples: ['active'],
      }),
    }),
  }),
  response: { 200: PageOf(Account) },
})

export const getUser = api.operation({
  operationId: 'getUser',
  tags: ['users'],
  summary: 'Read one account',
  params: accountParams,
  response: { 200: api.Envelope(Account), 304: api.NotModified },
  problems: ['user_not_found'],
})

/** @param leastPasswordLength in code points, as the password policy asks */
export function createUser(leastPasswordLength: number) {
  return api.operation({
    operationId: 'createUser',
    tags: ['users'],
    summary: 'Create an account',
    description:
      'It holds no role, and a first password: until its owner changes that (PUT /api/auth/password), every call but that, me and logout is 403 `password_change_required`.',
    body: api.RequestBody(
      { name: accountName, email: accountEmail, password: newPassword(leastPasswordLength) },
      'NewUser',
    ),
    response: { 201: api.Created(api.Id('The new account', 1)) },
    problems: ['email_taken', ...api.creationProblems, 'overloaded'],
  })
}

/**
 * The change of an account. It needs `If-Match`, and answers with the whole account.
 * @param about.problems those of this change, besides the ones that each may have
 */
export function changeOfAccount<Body extends Schema>(
  operationId: string,
  about: {
    readonly summary: string
    readonly description: string
    readonly body: Body
    readonly problems: readonly ProblemCode[]
  },
) {
  return api.operation({
    operationId,
    tags: ['users'],
    summary: about.summary,
    description: about.description,
    params: accountParams,
    body: about.body,
    response: { 200: api.Envelope(api.Changed(Account, 'users.view')) },
    problems: ['user_not_found', 'exceeds_own_permissions', ...about.problems, ...api.preconditionProblems],
  })
}

/** A text that is compared as it is: no policy applies. */
export const anyText = (description: string, example = passwordExample) =>
  Type.String({ minLength: 1, maxLength: maxBodyBytes, description, examples: [example] })

export const updateUser = changeOfAccount('updateUser', {
  summary: 'Rename an account, change its e-mail address, disable or enable it',
  description:
    'A merge patch (RFC 7396); it takes If-Match. Disabling ends the sessions. To rename, `users.manage` is enough; for the rest, the caller must hold all that the account holds. To change the own e-mail address takes `current_password`, which counts as at login.',
  body: api.RequestBody(
    Type.Partial({
      name: accountName,
      email: email('anna.berg@school.example'),
      current_password: anyText(
        'The own password as it is: looked at where the own e-mail address is to change',
      ),
      disabled: Type.Boolean({ description: 'No account disables itself', examples: [false] }),
    }),
    'UserPatch',
  ),
  problems: ['last_administrator', 'own_account', 'email_taken', 'too_many_attempts', 'overloaded'],
})

/** @param leastPasswordLength in code points, as the password policy asks */
export function updateUserPassword(leastPasswordLength: number) {
  return changeOfAccount('updateUserPassword', {
    summary: 'Set a new first password of an account, and end its sessions',
    description:
      'Its owner must change it before anything else. It takes If-Match; the caller must hold all that the account holds.',
    body: api.RequestBody({ password: newPassword(leastPasswordLength) }, 'FirstPassword'),
    problems: ['own_account', 'overloaded'],
  })
}

export const deleteUser = api.operation({
  operationId: 'deleteUser',
  tags: ['users'],
  summary: 'Delete an account that was never granted anything',
  description: `It takes If-Match. The account's sessions end. An account that holds or held a role is disabled instead. One that was never granted anything also goes by itself, after ${idleDays} days without a login.`,
  params: accountParams,
  response: { 200: api.Done('The account is deleted') },
  problems: ['user_not_found', 'user_in_use', ...api.preconditionProblems],
})

/** How many sessions a call ended. */
export const EndedSessions = Type.Object(
  { ended_sessions: count('How many sessions were ended', 2) },
  { title: 'EndedSessions' },
)

export const deleteUserSessions = api.operation({
  operationId: 'deleteUserSessions',
  tags: ['users'],
  summary: 'End all sessions of an account: its tokens are dead at once',
  description: 'The caller must hold all that the account holds.',
  params: accountParams,
  response: {
    200: Type.Object({
      success: api.Success,
      message: api.Message('2 sessions are ended'),
      data: EndedSessions,
    }),
  },
  problems: ['user_not_found', 'exceeds_own_permissions'],
})
