import { Problem } from '../problems.ts'

/** One text for forged, expired and logged out (RFC 6750 §3.1). */
export function tokenInvalid(): Problem {
  return new Problem('token_invalid', 'The token is not valid, or no longer; log in again.', {
    headers: {
      'WWW-Authenticate':
        'Bearer realm="registrar", error="invalid_token", error_description="The token is not valid"',
    },
  })
}

export function permissionDenied(permission: string): Problem {
  return denied(
    permission,
    `This needs the permission ${permission}, which an administrator grants: PUT /api/users/{id}/roles, or ./registrar.js user grant EMAIL ROLE on the server's machine, with a role that holds it.`,
  )
}

/** The permission is held, but for some classes alone. */
export function permissionDeniedForAll(permission: string): Problem {
  return denied(
    permission,
    `This needs the permission ${permission} for all classes; you hold it for some. An administrator grants it for all: PUT /api/users/{id}/roles with a role that holds it, and class_ids null.`,
  )
}

/** The permission is held, but not for a class that is concerned. */
export function permissionDeniedForClass(permission: string): Problem {
  return denied(
    permission,
    `This needs the permission ${permission} for the class of every student that it concerns; you hold it for other classes. An administrator grants it: PUT /api/users/{id}/roles with a role that holds it, and the class_ids.`,
  )
}

/** @param detail says what needs the permission, and how one gets it */
export function denied(permission: string, detail: string): Problem {
  return new Problem('permission_denied', detail, {
    headers: {
      'WWW-Authenticate': `Bearer realm="registrar", error="insufficient_scope", scope="${permission}"`,
    },
  })
}

export function passwordChangeRequired(): Problem {
  return new Problem(
    'password_change_required',
    'An administrator set the password of this account; change it first: PUT /api/auth/password.',
  )
}
