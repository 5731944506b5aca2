import { permissions, permissionTable } from '../access/permissions.ts'
import { Type } from '../http/json-schema.ts'
import {
  Created,
  Done,
  Envelope,
  Id,
  IdParams,
  NotModified,
  operation,
  RequestBody,
  Success,
} from '../http/operation.ts'
import { PageOf, pageParameters } from '../http/paging.ts'
import { changeOfAccount, grantedClasses, preconditionProblems, roleName, version } from '../users/schema.ts'

const permissionList = 'GET /api/permissions lists them'

const Role = Type.Object(
  {
    id: Id('The role', 4),
    name: Type.String({ maxLength: 100, examples: ['Class teacher'] }),
    built_in: Type.Boolean({ description: 'Whether it is fixed', examples: [false] }),
    permissions: Type.Array(Type.String({ maxLength: 100, examples: ['students.view'] }), {
      maxItems: 1000,
      description: 'What it allows, in alphabetical order',
    }),
    version,
  },
  { title: 'Role' },
)

const PermissionName = Type.Enum(permissions, {
  title: 'PermissionName',
  description: 'One thing that one may do',
})

const heldPermissions = Type.Array(PermissionName, {
  maxItems: 100,
  description: `What it allows; ${permissionList}. The caller must hold each, for all classes`,
  examples: [['students.view', 'students.update']],
})

const roleParams = IdParams('RoleId', 'The role', 4)

export const listPermissions = operation({
  operationId: 'listPermissions',
  tags: ['roles'],
  summary: 'List all permissions that there are, each with what it allows',
  description: 'All at once: there are no pages.',
  response: {
    200: Type.Object({
      success: Success,
      data: Type.Array(
        Type.Object(
          {
            name: PermissionName,
            description: Type.String({ maxLength: 200, examples: [permissionTable['students.view'].allows] }),
            all_classes_only: Type.Boolean({
              description: 'Whether a role that holds it is granted for all classes only',
              examples: [false],
            }),
          },
          { title: 'Permission' },
        ),
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
  response: { 200: PageOf(Role) },
})

export const getRole = operation({
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
  body: RequestBody({ name: roleName, permissions: heldPermissions }, 'NewRole'),
  response: { 201: Created(Id('The new role', 4)) },
  problems: ['role_name_taken', 'exceeds_own_permissions', 'idempotency_key_reused', 'too_many_attempts'],
})

export const updateRole = operation({
  operationId: 'updateRole',
  tags: ['roles'],
  summary: 'Rename a role, or change what it allows',
  description:
    'A merge patch (RFC 7396); it takes If-Match. It holds from the next request of each account that holds the role. The caller must hold all that the role allows, before and after, for all classes.',
  params: roleParams,
  body: RequestBody(
    { name: Type.Optional(roleName), permissions: Type.Optional(heldPermissions) },
    'RolePatch',
  ),
  response: { 200: Envelope(Role) },
  problems: [
    'role_not_found',
    'role_built_in',
    'role_name_taken',
    'exceeds_own_permissions',
    ...preconditionProblems,
  ],
})

export const deleteRole = operation({
  operationId: 'deleteRole',
  tags: ['roles'],
  summary: 'Delete a role that no account holds',
  description: 'It takes If-Match. The caller must hold all that the role allows, for all classes.',
  params: roleParams,
  response: { 200: Done('The role is deleted') },
  problems: [
    'role_not_found',
    'role_built_in',
    'role_in_use',
    'exceeds_own_permissions',
    ...preconditionProblems,
  ],
})

export const updateUserRoles = changeOfAccount('updateUserRoles', {
  summary: 'Replace the roles of an account',
  description:
    'It takes If-Match, and holds from the next request of the account. The caller must hold all that the account holds, and all that the roles allow, for the classes that they are granted for; for a class for which they hold nothing, they grant not even a role that allows nothing. A role that holds a permission that is for all classes only, as listPermissions tells, is granted for all classes only.',
  body: RequestBody(
    {
      roles: Type.Array(
        RequestBody(
          { role_id: Id('A role; GET /api/roles', 3), class_ids: Type.Optional(grantedClasses) },
          'NewGrant',
        ),
        {
          maxItems: 100,
          description: 'All that the account is to hold; none takes all away',
          examples: [[{ role_id: 3, class_ids: [3, 5] }]],
        },
      ),
    },
    'UserRoles',
  ),
  problems: ['last_administrator'],
})
