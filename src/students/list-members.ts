import { type Schema, Type } from '../http/json-schema.ts'
import { RequestBody, Text } from '../http/operation.ts'
import { text } from './details.ts'

/* The members of a student that are lists, as records and as bodies have them. */

/** How many guardians a student may have. */
export const mostGuardians = 10

/** How many identifiers. */
export const mostIdentifiers = 20

const guardianName = Text('person-name', 255, "The guardian's full name", 'Jörg Müller')
const contacts = {
  relation: text('short-text', 50, 'What the guardian is to the student', 'father'),
  phone: text('short-text', 50, 'As it is dialled, in whatever way it is written', '+49 30 901820'),
  email: text('email', 254, "The guardian's e-mail address, in ASCII", 'joerg@family.example'),
  address: text('text-in-lines', 500, 'Where the guardian lives, if not with the student', 'Am Ring 1'),
  note: text('text-in-lines', 500, 'What else is to be known of the guardian', 'Works at night'),
}

/** The members of a guardian, by name. */
export const guardianMembers = { name: guardianName, ...contacts }

const joerg = {
  name: 'Jörg Müller',
  relation: 'father',
  phone: '+49 30 901820',
  email: 'joerg@family.example',
  address: null,
  note: null,
}

const guardians = <Guardian extends Schema>(guardian: Guardian) =>
  Type.Nullable(
    Type.Array(guardian, {
      maxItems: mostGuardians,
      description: 'Whom the school calls; an empty list is none. A patch replaces them all',
      examples: [[joerg]],
    }),
  )

/** Of a record. */
export const Guardians = guardians(Type.Object(guardianMembers, { title: 'Guardian' }))

/** Of a body. */
export const NewGuardians = guardians(
  RequestBody({ name: guardianName, ...Type.Partial(contacts) }, 'NewGuardian'),
)

/** The members of an identifier. */
export const identifierMembers = {
  system: Text('identifier', 50, 'Whose identifier it is, in whatever words the school uses', 'state'),
  value: Text('identifier', 100, 'What the student is there; found by searches', 'DE-BE-1234567'),
}

const identifiers = <Identifier extends Schema>(identifier: Identifier) =>
  Type.Nullable(
    Type.Array(identifier, {
      maxItems: mostIdentifiers,
      description:
        'What the student is called in other systems. A pair names one student: case, width and the kind of dash do not count. An empty list is none. A patch replaces them all',
      examples: [[{ system: 'state', value: 'DE-BE-1234567' }]],
    }),
  )

/** Of a record. */
export const Identifiers = identifiers(Type.Object(identifierMembers, { title: 'Identifier' }))

/** Of a body. */
export const NewIdentifiers = identifiers(RequestBody(identifierMembers, 'NewIdentifier'))
