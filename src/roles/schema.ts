import { permissions, permissionTable } from '../access/permissions.ts'
import { Type } from '../http/json-schema.ts'
import { Envelope, Id, maxId, NotModified, operation, RequestBody, Success } from '../http/operation.ts'
import { Pagination, pageParameters } from '../http/paging.ts'
import { changeOfAccount, grantedClasses, preconditionProblems, roleName, version } from '../users/schema.ts'

const permissionList = 'GET /api/permissions lists them'

const Role = Type.Object({
  id: Id('The role', 4),
  name: Type.String({ maxLength: 100, examples: ['Class teacher'] }),
  built_in: Type.Boolean({ description: 'Whether it is fixed', examples: [false] }),
  permissions: Type.Array(Type.String({ maxLength: 100, examples: ['students.view'] }), {
    maxItems: 1000,
    description: 'What it allows, in alphabetical order',
  }),
  version,
})

const heldPermissions = Type.Array(Type.Enum(permissions), {
  maxItems: 100,
  description: `What it allows; ${permissionList}. The caller must hold each, for all classes`,
  examples: [['students.view', 'students.update']],
})

const roleParams = Type.Object({
  id: Type.Integer({ minimum: 0, maximum: maxId, description: 'The role', examples: [4] }),
})

export const listPermissions = operation({
  operationId: 'listPermissions',
  tags: ['roles'],
  summary: 'List all permissions that there are, each with what it allows',
  description: 'All at once: there are no pages.',
  response: {
    200: Type.Object({
      success: Success,
      data: Type.Array(
        Type.Object({
          name: Type.Enum(permissions, { examples: ['students.view'] }),
          description: Type.String({ maxLength: 200, examples: [permissionTable['students.view']] }),
          all_classes_only: Type.Boolean({
            description: 'Whether a role that holds it is granted for all classes only',
            examples: [false],
          }),
        }),
      ),
    }),
  },
})

export const listRoles = operation({
  operationId: 'listRoles',
  tags: ['roles'],
  summary: 'List the roles and what they allow',
  description: 'Ordered by id. A page past the end is empty, with the same total.',
  querystring: Type.Object(pageParameters, { additionalProperties: false }),
  response: { 200: Type.Object({ success: Success, data: Type.Array(Role), pagination: Pagination }) },
})

export const getRoleById = operation({
  operationId: 'getRole',
  tags: ['roles'],
  summary: 'Read one role',
  params: roleParams,
  response: { 200: Envelope(Role), 304: NotModified },
  problems: ['role_not_found'],
})

export const createRole = operation({
  operationId: 'createRole',
  tags: ['roles'],
  summary: 'Create a role',
  body: RequestBody({ name: roleName, permissions: heldPermissions }),
  response: { 201: Envelope(Type.Object({ id: Id('The new role', 4) })) },
  problems: ['role_name_taken', 'exceeds_own_permissions', 'idempotency_key_reused'],
})

export const changeRole = operation({
  operationId: 'changeRole',
  tags: ['roles'],
  summary: 'Rename a role, or change what it allows',
  description:
    'A merge patch (RFC 7396); it takes If-Match. It holds from the next request of each account that holds the role. The caller must hold all that the role allows, before and after, for all classes.',
  params: roleParams,
  body: RequestBody({ name: Type.Optional(roleName), permissions: Type.Optional(heldPermissions) }),
  response: { 200: Envelope(Role) },
  problems: [
    'role_not_found',
    'role_built_in',
    'role_name_taken',
    'exceeds_own_permissions',
    ...preconditionProblems,
  ],
})

export const removeRole = operation({
  operationId: 'deleteRole',
  tags: ['roles'],
  summary: 'Delete a role that no account holds',
  description: 'It takes If-Match. The caller must hold all that the role allows, for all classes.',
  params: roleParams,
  response: {
    200: Type.Object({
      success: Success,
      message: Type.String({ maxLength: 100, examples: ['The role is deleted'] }),
    }),
  },
  problems: [
    'role_not_found',
    'role_built_in',
    'role_in_use',
    'exceeds_own_permissions',
    ...preconditionProblems,
  ],
})

export const setRoles = changeOfAccount('setRoles', {
  summary: 'Replace the roles of an account',
  description:
    'It takes If-Match, and holds from the next request of the account. The caller must hold all that the account holds, and all that the roles allow, for the classes that they are granted for; for a class for which they hold nothing, they grant not even a role that allows nothing. A role that holds users.* or roles.* is granted for all classes only.',
  body: {
    roles: Type.Array(
      RequestBody({ role_id: Id('A role; GET /api/roles', 3), class_ids: Type.Optional(grantedClasses) }),
      {
        maxItems: 100,
        description: 'All that the account is to hold; none takes all away',
        examples: [[{ role_id: 3, class_ids: [3, 5] }]],
      },
    ),
  },
  problems: ['last_administrator'],
})
