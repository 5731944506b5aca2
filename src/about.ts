import { version } from './health/version.ts'
import type { About } from './http/openapi.ts'
import { NumberHolder } from './students/numbers/schema.ts'

const signIn = '`POST /api/auth/login` answers with a token in `data.token`'

/** What the OpenAPI document, and so the reference page, says of the API as a whole. */
export const about: About = {
  title: 'Registrar',
  version,
  summary: 'A student-records server',
  description: `Accounts, permissions and student records. Every success carries \`success: true\`. Every failure is a problem (RFC 9457) with a stable \`code\`.

To call what needs a token: ${signIn}. On the reference page, try that out, press Authorize, and paste the token; it is kept over a reload of the page, until you press Logout there. Programs send it in the header \`Authorization: Bearer <token>\`.`,
  token: `${signIn}.`,
  tags: [
    { name: 'auth', description: 'Login, logout, and the own account' },
    { name: 'users', description: 'Accounts as administrators see them, and what they hold' },
    { name: 'roles', description: 'Named sets of permissions' },
    { name: 'school', description: 'What the school says of itself' },
    { name: 'students', description: 'Student records' },
    { name: 'lists', description: "The school's named lists of students" },
    { name: 'imports', description: 'Files of students or classes: read, planned, applied, undone' },
    { name: 'classes', description: 'What students are in' },
    { name: 'audit', description: 'Who changed what, and how it is undone' },
    { name: 'fields', description: "The school's own fields of students" },
    { name: 'health', description: 'Whether the platform works' },
    { name: 'documentation', description: 'This document' },
  ],
  problemMembers: { holder: NumberHolder },
}
