import { randomUUID } from 'node:crypto'
import express from 'express'
import { pinoHttp } from 'pino-http'
import { createAuth, hashPassword, isPasswordOf, tokenTtlSeconds } from './auth.js'
import { prepareStatements } from './database.js'
import { answerErrors, Refusal } from './refusal.js'
import { pageFinder, searchText } from './search.js'
import { invalid, parse, schemas } from './validation.js'

const version = '1.0.0'

const securityHeaders = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
}

/** The whole contract on one database. */
export function createApp({ db, secret, logger }) {
  const statements = prepareStatements(db)
  const auth = createAuth(statements, secret)
  const findPage = pageFinder(db, statements)
  auth.removeExpiredSessions()
  setInterval(auth.removeExpiredSessions, 3_600_000).unref()

  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.use(logRequests(logger))
  app.use((_request, response, next) => {
    response.set(securityHeaders)
    next()
  })
  app.use(express.json({ limit: '100kb' }))

  app.get('/api/health', (_request, response) => {
    statements.ping.get()
    response.json({ success: true, status: 'healthy', version })
  })

  app.post('/api/auth/register', async (request, response) => {
    const { name, email, password } = parse(schemas.registration, request.body)
    const passwordHash = await hashPassword(password)
    const { lastInsertRowid } = refusing(
      { SQLITE_CONSTRAINT_UNIQUE: () => new Refusal(409, 'email_taken') },
      () => statements.insertUser.run(name, email, passwordHash),
    )
    response.status(201).json({ success: true, data: { user_id: lastInsertRowid } })
  })

  app.post('/api/auth/login', async (request, response) => {
    const { email, password } = parse(schemas.credentials, request.body)
    const user = statements.userByEmail.get(email)
    if (!(await isPasswordOf(user, password))) throw new Refusal(401, 'invalid_credentials')
    const { id, name } = user
    response.json({
      success: true,
      data: {
        token: auth.issueToken(id),
        token_type: 'Bearer',
        expires_in: tokenTtlSeconds,
        user: { id, name, email: user.email },
      },
    })
  })

  app.post('/api/auth/logout', auth.authenticated, ({ user }, response) => {
    auth.endSession(user)
    response.json({ success: true, message: 'Logged out' })
  })

  app.get('/api/auth/me', auth.authenticated, ({ user: { id, name, email } }, response) => {
    const roles = statements.rolesOf.all(id)
    const permissions = statements.permissionsOf.all(id)
    response.json({ success: true, data: { id, name, email, roles, permissions } })
  })

  app.get('/api/students', auth.requires('students.view'), (request, response) => {
    const { page, per_page, search } = parse(schemas.list, request.query)
    const { rows, total } = findPage(search, { limit: per_page, offset: (page - 1) * per_page })
    const pagination = { total, page, per_page, total_pages: Math.ceil(total / per_page) }
    response.json({ success: true, data: rows, pagination })
  })

  app.get('/api/students/:id', auth.requires('students.view'), (request, response) => {
    const { id } = parse(schemas.studentId, request.params)
    const student = statements.student.get(id)
    if (student === undefined) throw new Refusal(404, 'student_not_found')
    response.json({ success: true, data: student })
  })

  app.post('/api/students', auth.requires('students.create'), (request, response) => {
    const { name, admission_number, class_id } = parse(schemas.newStudent, request.body)
    const { lastInsertRowid: id } = refusing(
      {
        SQLITE_CONSTRAINT_UNIQUE: () => new Refusal(409, 'admission_number_taken'),
        SQLITE_CONSTRAINT_FOREIGNKEY: () => invalid([{ field: 'class_id', message: 'is no class' }]),
      },
      () =>
        statements.insertStudent.run(name, admission_number, class_id, searchText(name, admission_number)),
    )
    response.status(201).location(`/api/students/${id}`).json({ success: true, data: { id } })
  })

  app.use(() => {
    throw new Refusal(404, 'route_not_found')
  })
  app.use(answerErrors)
  return app
}

/** Runs a write; what the database refuses becomes the refusal for it. */
function refusing(refusals, write) {
  try {
    return write()
  } catch (error) {
    throw refusals[error.code]?.() ?? error
  }
}

/** One short line a request: pino-http's own would hold every header. */
function logRequests(logger) {
  return pinoHttp({
    logger,
    genReqId(_request, response) {
      const id = randomUUID()
      response.setHeader('X-Request-Id', id)
      return id
    },
    serializers: {
      req: ({ id, method, url }) => ({ id, method, url }),
      res: ({ statusCode }) => ({ status: statusCode }),
    },
    customSuccessObject: (request, _response, fields) => ({ ...fields, user: request.user?.id }),
  })
}
