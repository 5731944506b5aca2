import { maxSessions } from '../access/session-limit.ts'
import { Type } from '../http/json-schema.ts'
import * as api from '../http/operation.ts'
import { PageOf, pageParameters } from '../http/paging.ts'
import {
  anyText,
  EndedSessions,
  accountEmail as email,
  accountName as name,
  newPassword,
} from '../users/schema.ts'
import { maxClientLength } from './login.ts'

const names = (description: string, example: string) =>
  Type.Array(Type.String({ maxLength: 100, examples: [example] }), { maxItems: 1000, description })

/** Who is logged in. */
const owner = {
  id: api.Id('The account', 1),
  name,
  email,
  password_change_required: Type.Boolean({
    description:
      'Whether an administrator set the password: until it is changed (`PUT /api/auth/password`), all but that, `GET /api/auth/me` and logout is 403 `password_change_required`',
  }),
}

const credentials = api.RequestBody(
  {
    email: anyText("The account's e-mail address", 'anna@school.example'),
    password: anyText("The account's password"),
  },
  'Credentials',
)

/** What a login answers with besides the token. */
const issued = {
  expires_in: Type.Integer({ minimum: 0, maximum: 31_536_000, description: 'Seconds', examples: [43_200] }),
  user: Type.Object(owner),
}

const loginProblems = ['invalid_credentials', 'too_many_attempts', 'overloaded'] as const

export const login = api.operation({
  operationId: 'login',
  tags: ['auth'],
  summary: 'Log in for a token',
  body: credentials,
  response: {
    200: api.Envelope(
      Type.Object(
        {
          token: Type.String({
            maxLength: 2048,
            description: 'A JWT for the Authorization header',
            examples: ['eyJhbGciOi…'],
          }),
          token_type: Type.String({ const: 'Bearer', maxLength: 6 }),
          ...issued,
        },
        { title: 'IssuedToken' },
      ),
    ),
  },
  problems: loginProblems,
})

export const createCookieSession = api.operation({
  operationId: 'createCookieSession',
  tags: ['auth'],
  summary: 'Log in a page of this server by a cookie',
  description:
    'For the console. The token stands in the cookie `__Host-registrar`, which no script can read; outside port 443 the name ends in the port. It counts only for requests of pages of this server (`Sec-Fetch-Site: same-origin`, or without that header an `Origin` whose host is that of `Host`), and in no `Authorization`. An `Authorization` goes before it. `POST /api/auth/logout` ends both.',
  body: credentials,
  response: {
    200: {
      ...api.Envelope(Type.Object(issued, { title: 'IssuedCookie' })),
      headers: ['Set-Cookie'] as const,
    },
  },
  problems: [...loginProblems, 'cross_origin'],
})

export const getDoors = api.operation({
  operationId: 'getDoors',
  tags: ['auth'],
  summary: 'Tell which ways to an account are open',
  description:
    'For a page that asks its visitor to log in, to make the first account, or for a new password.',
  response: {
    200: api.Envelope(
      Type.Object(
        {
          registration: Type.Enum(['open', 'closed'], {
            description: 'Whether anyone can register',
            examples: ['open'],
          }),
          first_administrator: Type.Enum(['here', 'elsewhere', 'done'], {
            description:
              '`done`: the platform has an administrator; `here`: who registers by such a request becomes the first one; `elsewhere`: a command on the machine of the server makes the first one',
            examples: ['done'],
          }),
          least_password_length: Type.Integer({
            minimum: 1,
            maximum: 100,
            description: 'How many characters a new password has at least, as `PASSWORD_POLICY` asks',
            examples: [8],
          }),
        },
        { title: 'Doors' },
      ),
    ),
  },
})

/** @param leastPasswordLength in code points, as the password policy asks */
export function register(leastPasswordLength: number) {
  return api.operation({
    operationId: 'register',
    tags: ['auth'],
    summary: 'Register an account',
    description:
      'A new account holds no permission; the first one, registered on the machine itself, is administrator.',
    body: api.RequestBody({ name, email, password: newPassword(leastPasswordLength) }, 'Registration'),
    response: { 201: api.Envelope(Type.Object({ user_id: api.Id('The new account', 1) })) },
    problems: ['registration_closed', 'email_taken', 'too_many_attempts', 'overloaded'],
  })
}

export const logout = api.operation({
  operationId: 'logout',
  tags: ['auth'],
  summary: 'Log out: the token that is presented is dead at once',
  response: { 200: api.Done('Logged out') },
})

export const getOwnAccount = api.operation({
  operationId: 'getOwnAccount',
  tags: ['auth'],
  summary: 'Tell who is logged in, and what they may do',
  response: {
    200: api.Envelope(
      Type.Object(
        {
          ...owner,
          roles: names('The roles that the account holds', 'viewer'),
          permissions: names('What its roles allow', 'students.view'),
          scopes: Type.Array(
            Type.Object(
              {
                permission: Type.String({ maxLength: 100, examples: ['students.view'] }),
                class_ids: Type.Array(api.Id('The class', 3), { maxItems: 10_000 }),
              },
              { title: 'PermissionScope' },
            ),
            {
              maxItems: 1000,
              description: 'Which classes a permission is held for. One that is not listed is held for all',
            },
          ),
        },
        { title: 'OwnAccount' },
      ),
    ),
  },
})

const Ended = (example: string) =>
  Type.Object({ success: api.Success, data: EndedSessions, message: api.Message(example) })

/** @param leastPasswordLength in code points, as the password policy asks */
export function updateOwnPassword(leastPasswordLength: number) {
  return api.operation({
    operationId: 'updateOwnPassword',
    tags: ['auth'],
    summary: 'Change the password of the own account',
    description:
      'Ends every other session of the account; this one stays. The current password counts as at login: 422 `wrong_password`, and after too many wrong ones 429. Needs no `If-Match`: the current password says what is changed.',
    body: api.RequestBody(
      {
        current_password: anyText("The account's password as it is"),
        new_password: newPassword(
          leastPasswordLength,
          'Any characters; composed to NFC; another than the current one',
          'staple correct horse',
        ),
      },
      'PasswordChange',
    ),
    response: { 200: Ended('Password changed') },
    problems: ['too_many_attempts', 'overloaded'],
  })
}

const sessionId = Type.String({
  maxLength: 100,
  description: 'The session: half of the SHA-256 of what its token is known by. No token can be made of it',
  examples: ['9f86d081884c7d659a2feaa0c55ad015'],
})

/** What is kept of the client that logged in. */
const ofClient = (description: string, example: string) =>
  Type.Nullable(Type.String({ maxLength: maxClientLength, description, examples: [example] }))

const Session = Type.Object(
  {
    id: sessionId,
    created_at: api.DateTime('When it was made by a login'),
    expires_at: api.DateTime('When it ends by itself'),
    last_used_at: Type.Nullable(
      api.DateTime(
        'When it was last used, to the minute; known to other instances of the server within a minute. Null: not since it was made',
      ),
    ),
    address: ofClient('The address that logged in; null where it was not kept', '192.0.2.7'),
    client: ofClient(
      'What the client that logged in called itself (`User-Agent`); null when it did not',
      'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    ),
    current: Type.Boolean({ description: 'Whether it is the one that asks' }),
  },
  { title: 'Session' },
)

export const listOwnSessions = api.operation({
  operationId: 'listOwnSessions',
  tags: ['auth'],
  summary: 'List the living sessions of the own account, the newest first',
  description: `An account has at most ${maxSessions}: a login beyond that ends the one that is longest unused.`,
  querystring: api.Query(pageParameters),
  response: { 200: PageOf(Session, { maxItems: 1000 }) },
})

export const deleteOwnSession = api.operation({
  operationId: 'deleteOwnSession',
  tags: ['auth'],
  summary: 'End a session of the own account: its token is dead at once',
  description: 'Another account’s session is 404 like one that is not there. Needs no `If-Match`.',
  params: Type.Object({ id: sessionId }),
  response: { 200: api.Done('Session ended') },
  problems: ['session_not_found'],
})

export const deleteOtherSessions = api.operation({
  operationId: 'deleteOtherSessions',
  tags: ['auth'],
  summary: 'End every session of the own account but this one: their tokens are dead at once',
  response: { 200: Ended('Other sessions ended') },
})
