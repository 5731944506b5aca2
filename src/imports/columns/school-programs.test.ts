// Runs once: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { factsOf } from '../../../test/import-facts.ts'
import { mapColumns } from './column-mapping.ts'

/** What is taken or proposed for each column of a header; -: it is proposed to be left out. */
function proposedFor(header: string): string {
  const { mapped } = mapColumns(factsOf(header.split(' | ')))
  const taken = new Set(mapped.map(({ column }) => column))
  return mapped
    .map(({ column, candidates }) => column ?? candidates.find((name) => !taken.has(name)) ?? '-')
    .join(' | ')
}

function shows(files: readonly (readonly [header: string, expected: string])[]): void {
  for (const [header, expected] of files) assert.equal(proposedFor(header), expected, header)
}

describe('the headings of school programs', () => {
  it('are not proposed to be what only looks like them', () => {
    shows([
      ['الاسم الأول | الجنسية', 'given_name | -'], // a nationality is no family name
      ['Apellido | Klase | Geburtsdatun', 'family_name | class | date_of_birth'],
    ])
  })

  it('tell the class from the year', () => {
    shows([
      ['Year Group | Registration form', '- | class'],
      ['Grade | Main Class', '- | class'],
      ['Curso | Unidad', '- | class'],
      ['Name | Class-Section', 'name | class'],
      ['lastname | firstname | cohort1', 'family_name | given_name | class'],
    ])
  })

  it('take a middle name for no name that a child is called by', () => {
    shows([['First_name | Middle_name | Last_name', 'given_name | - | family_name']])
  })
})
