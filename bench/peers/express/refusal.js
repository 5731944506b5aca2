const messages = {
  malformed_request: 'The request could not be read.',
  invalid_credentials: 'Wrong e-mail or password.',
  token_missing: 'Send the header Authorization: Bearer <token>.',
  token_invalid: 'The token is not valid, or no longer; log in again.',
  permission_denied: 'This needs a permission that the account does not hold.',
  route_not_found: 'There is nothing at this path.',
  student_not_found: 'There is no student with this id.',
  email_taken: 'The e-mail address is taken.',
  admission_number_taken: 'Another student has this admission number.',
  validation_failed: 'Some values are not valid.',
  internal_error: 'Something went wrong on the server.',
}

/** An error that is an answer: a status, a code and a sentence, and which fields are wrong. */
export class Refusal extends Error {
  constructor(status, code, errors) {
    super(messages[code])
    this.status = status
    this.body = { success: false, code, message: messages[code], ...(errors && { errors }) }
  }
}

/** Express's error handler. @param _next makes it one: Express counts the parameters */
export function answerErrors(error, request, response, _next) {
  const refusal = asRefusal(error)
  if (refusal.status >= 500) request.log.error(error)
  response.status(refusal.status).json(refusal.body)
}

function asRefusal(error) {
  if (error instanceof Refusal) return error
  // body-parser and the router throw errors that carry a status.
  if (error.status >= 400 && error.status < 500) return new Refusal(error.status, 'malformed_request')
  return new Refusal(500, 'internal_error')
}
