import { Type } from '../http/json-schema.ts'
import * as api from '../http/operation.ts'
import { maxAddressLength, maxSchoolNameLength } from './lengths.ts'
import { nameOrders } from './name-order.ts'

const name = Type.Nullable(api.Text('school-name', maxSchoolNameLength, "The school's name", 'Lindenschule'))

const address = Type.Nullable(
  api.Text(
    'text-in-lines',
    maxAddressLength,
    'Where the school is; line breaks are kept',
    'Lindenweg 4\n12345 Berlin',
  ),
)

const timeZone = api.Text(
  'time-zone',
  100,
  "The school's time zone, by its name in the IANA database",
  'Europe/Berlin',
)

const nameOrder = Type.Enum(nameOrders, {
  description: "The order in which a student's name is joined from its parts, where only those are given",
  examples: ['given_first'],
})

const members = { name, address, time_zone: timeZone, name_order: nameOrder }

const School = Type.Object(members, {
  title: 'School',
  description: 'Of a new platform name and address are null, and the time zone is UTC.',
})

export const getSchool = api.operation({
  operationId: 'getSchool',
  tags: ['school'],
  summary: 'Read what the school says of itself',
  response: { 200: api.Envelope(School), 304: api.NotModified },
})

export const updateSchool = api.operation({
  operationId: 'updateSchool',
  tags: ['school'],
  summary: 'Change what the school says of itself',
  description:
    'A merge patch (RFC 7396); it takes If-Match. Another order of names holds for names that are joined from then on.',
  body: api.RequestBody(Type.Partial(members), 'SchoolPatch'),
  response: { 200: api.Envelope(School) },
  problems: api.preconditionProblems,
})
