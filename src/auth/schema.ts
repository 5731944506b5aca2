import { Type } from '../http/json-schema.ts'
import { Done, Envelope, Id, operation, RequestBody } from '../http/operation.ts'
import { anyText, accountEmail as email, accountName as name, newPassword } from '../users/schema.ts'

const names = (description: string, example: string) =>
  Type.Array(Type.String({ maxLength: 100, examples: [example] }), { maxItems: 1000, description })

/** Who is logged in. */
const owner = {
  id: Id('The account', 1),
  name,
  email,
  password_change_required: Type.Boolean({
    description:
      'Whether an administrator set the password: until it is changed (`PUT /api/auth/password`), all but that, `GET /api/auth/me` and logout is 403 `password_change_required`',
  }),
}

export const login = operation({
  operationId: 'login',
  tags: ['auth'],
  summary: 'Log in for a token',
  body: RequestBody(
    {
      email: anyText("The account's e-mail address", 'anna@school.example'),
      password: anyText("The account's password"),
    },
    'Credentials',
  ),
  response: {
    200: Envelope(
      Type.Object(
        {
          token: Type.String({
            maxLength: 2048,
            description: 'A JWT for the Authorization header',
            examples: ['eyJhbGciOi…'],
          }),
          token_type: Type.String({ const: 'Bearer', maxLength: 6 }),
          expires_in: Type.Integer({
            minimum: 0,
            maximum: 31_536_000,
            description: 'Seconds',
            examples: [43_200],
          }),
          user: Type.Object(owner),
        },
        { title: 'IssuedToken' },
      ),
    ),
  },
  problems: ['invalid_credentials', 'too_many_attempts', 'overloaded'],
})

/** @param leastPasswordLength in code points, as the password policy asks */
export function register(leastPasswordLength: number) {
  return operation({
    operationId: 'register',
    tags: ['auth'],
    summary: 'Register an account',
    description:
      'A new account holds no permission; the first one, registered on the machine itself, is administrator.',
    body: RequestBody({ name, email, password: newPassword(leastPasswordLength) }, 'Registration'),
    response: { 201: Envelope(Type.Object({ user_id: Id('The new account', 1) })) },
    problems: ['registration_closed', 'email_taken', 'too_many_attempts', 'overloaded'],
  })
}

export const logout = operation({
  operationId: 'logout',
  tags: ['auth'],
  summary: 'Log out: the token that is presented is dead at once',
  response: { 200: Done('Logged out') },
})

export const getOwnAccount = operation({
  operationId: 'getOwnAccount',
  tags: ['auth'],
  summary: 'Tell who is logged in, and what they may do',
  response: {
    200: Envelope(
      Type.Object(
        {
          ...owner,
          roles: names('The roles that the account holds', 'viewer'),
          permissions: names('What its roles allow', 'students.view'),
          scopes: Type.Array(
            Type.Object(
              {
                permission: Type.String({ maxLength: 100, examples: ['students.view'] }),
                class_ids: Type.Array(Id('The class', 3), { maxItems: 10_000 }),
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
