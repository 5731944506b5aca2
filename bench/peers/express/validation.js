import { z } from 'zod'
import { Refusal } from './refusal.js'

const text = (most) => z.string().trim().min(1).max(most)
const whole = (least, most) => z.coerce.number().int().min(least).max(most)
const id = z.int().min(1)

/** The bodies, queries and parameters that the routes take. */
export const schemas = {
  credentials: z.object({ email: z.string().trim().toLowerCase().min(1), password: z.string().min(1) }),
  registration: z.object({
    name: text(255),
    email: z.string().trim().toLowerCase().max(254).pipe(z.email()),
    password: z.string().min(8).max(256),
  }),
  newStudent: z.object({ name: text(255), admission_number: text(50), class_id: id }),
  studentId: z.object({ id: whole(0, Number.MAX_SAFE_INTEGER) }),
  list: z.object({
    page: whole(1, 1_000_000).default(1),
    per_page: whole(1, 1_000).default(20),
    search: z.string().max(100).default(''),
  }),
}

/** @returns the value in the schema's form @throws Refusal that names every bad field */
export function parse(schema, value) {
  const { success, data, error } = schema.safeParse(value)
  if (success) return data
  throw invalid(error.issues.map(({ path, message }) => ({ field: path.join('.'), message })))
}

/** A refusal of values that are not valid. */
export const invalid = (errors) => new Refusal(422, 'validation_failed', errors)
