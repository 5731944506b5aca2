import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { Importer } from '../../test/import-calls.ts'
import { openSchool, type Person, type School } from '../../test/school.ts'

const header = 'Matrícula,Alumno,Tutor legal,Teléfono tutor legal,Madre,Móvil madre,Correo madre,Padre'

describe('a row that names one guardian in two columns', () => {
  let school: School
  let registrar: Person
  let importer: Importer
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
    importer = new Importer(school, registrar)
  })

  /** Imports a row. @returns the counts of its plan */
  async function imported(row: string, query = '') {
    const id = await importer.send(`${header}\n${row}\n`, query)
    const shown = await importer.read(id)
    const planned = shown.questions.some(({ required }: { required: boolean }) => required)
      ? await importer.continued(shown, { answers: { class_id: 1 } })
      : shown
    if (planned.counts.unchanged === 0) await importer.applied(planned)
    return planned.counts
  }

  /** The guardians of the student whom a row is of. */
  async function guardiansOf(number: string) {
    const { body } = await school.get(`/api/students?search=${number}`, registrar)
    const { body: one } = await school.get(`/api/students/${body.data[0].id}`, registrar)
    return one.data.guardians.map(({ name, relation, phone, email }: Record<string, string>) =>
      [name, relation, phone, email].map((part) => part ?? '').join('/'),
    )
  }

  it('makes one guardian of them, and changes nothing when it comes again', async () => {
    const row = 'E1,Ana Gil,Eva Ríos,600 1,Eva Ríos,600 1,eva@rios.example,Luis Gil'
    assert.equal((await imported(row)).create, 1)
    const guardians = ['Eva Ríos/madre/600 1/eva@rios.example', 'Luis Gil/padre//']
    assert.deepEqual(await guardiansOf('E1'), guardians)
    assert.equal((await imported(row, '?mode=update')).unchanged, 1)
  })

  it('changes the phone of that one guardian', async () => {
    assert.equal((await imported('E1,Ana Gil,Eva Ríos,600 2,EVA RÍOS,600 2,,Luis Gil')).change, 1)
    assert.deepEqual(await guardiansOf('E1'), ['Eva Ríos/madre/600 2/eva@rios.example', 'Luis Gil/padre//'])
  })

  it('makes two where they have two phones, or are mother and father', async () => {
    await imported('E2,Bo Gil,Eva Ríos,600 1,Eva Ríos,600 9,,')
    assert.deepEqual(await guardiansOf('E2'), ['Eva Ríos//600 1/', 'Eva Ríos/madre/600 9/'])
    await imported('E3,Cy Gil,,,Sasha Gil,600 9,,Sasha Gil')
    assert.deepEqual(await guardiansOf('E3'), ['Sasha Gil/madre/600 9/', 'Sasha Gil/padre//'])
  })
})
