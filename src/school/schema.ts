import { Type } from '../http/json-schema.ts'
import { Envelope, NotModified, operation, RequestBody } from '../http/operation.ts'
import { maxAddressLength, maxSchoolNameLength } from './lengths.ts'
import { nameOrders } from './name-order.ts'

const name = Type.Nullable(
  Type.String({
    format: 'school-name',
    minLength: 1,
    maxLength: maxSchoolNameLength,
    description: "The school's name",
    examples: ['Lindenschule'],
  }),
)

const address = Type.Nullable(
  Type.String({
    format: 'text-in-lines',
    minLength: 1,
    maxLength: maxAddressLength,
    description: 'Where the school is; line breaks are kept',
    examples: ['Lindenweg 4\n12345 Berlin'],
  }),
)

const timeZone = Type.String({
  format: 'time-zone',
  minLength: 1,
  maxLength: 100,
  description: "The school's time zone, by its name in the IANA database",
  examples: ['Europe/Berlin'],
})

const nameOrder = Type.Enum(nameOrders, {
  description: "The order in which a student's name is joined from its parts, where only those are given",
  examples: ['given_first'],
})

const School = Type.Object(
  { name, address, time_zone: timeZone, name_order: nameOrder },
  { title: 'School', description: 'Of a new platform name and address are null, and the time zone is UTC.' },
)

export const getSchool = operation({
  operationId: 'getSchool',
  tags: ['school'],
  summary: 'Read what the school says of itself',
  response: { 200: Envelope(School), 304: NotModified },
})

export const updateSchool = operation({
  operationId: 'updateSchool',
  tags: ['school'],
  summary: 'Change what the school says of itself',
  description:
    'A merge patch (RFC 7396); it takes If-Match. Another order of names holds for names that are joined from then on.',
  body: RequestBody(
    {
      name: Type.Optional(name),
      address: Type.Optional(address),
      time_zone: Type.Optional(timeZone),
      name_order: Type.Optional(nameOrder),
    },
    'SchoolPatch',
  ),
  response: { 200: Envelope(School) },
  problems: ['precondition_failed', 'precondition_required'],
})
