import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { Importer } from '../../test/import-calls.ts'
import { openSchool, type Person, type School } from '../../test/school.ts'

describe('a name whose two surnames have a column each', () => {
  let school: School
  let registrar: Person
  let importer: Importer
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
    importer = new Importer(school, registrar)
  })

  const planned = (...lines: string[]) => importer.asProposed(lines.map((line) => `${line}\n`).join(''))

  async function student(number: string) {
    const columns = 'name,given_name,family_name,guardians'
    const { body } = await school.get(`/api/students?search=${number}&columns=${columns}`, registrar)
    const { name, given_name, family_name, guardians } = body.data[0]
    return { name, given_name, family_name, guardians: guardians?.map((one: { name: string }) => one.name) }
  }

  it('has both, and keeps the second where a row leaves it blank', async () => {
    const header = 'N.º de matrícula;Segundo apellido;Primer apellido;Nombre;Clase'
    await importer.applied(await planned(header, 's-1;Mora;Gil;Lucía;Class 1', 's-2;;Sanz;Leo;Class 1'))
    const lucia = { name: 'Lucía Gil Mora', given_name: 'Lucía', family_name: 'Gil Mora' }
    assert.deepEqual(await student('s-1'), { ...lucia, guardians: undefined })
    assert.equal((await student('s-2')).family_name, 'Sanz')
    const again = await planned(header, 's-1;;Gil;Lucía;Class 1', 's-2;Vega;Sanz;Leo;Class 1')
    assert.deepEqual([again.counts.unchanged, again.counts.change], [1, 1])
    await importer.applied(again)
    assert.equal((await student('s-2')).name, 'Leo Sanz Vega')
  })

  it('has both of two given names', async () => {
    const header = 'Matrícula;Primer nombre;Segundo nombre;Apellido paterno;Apellido materno;Clase'
    await importer.applied(await planned(header, 's-3;Juan;Andrés;Pérez;García;Class 1'))
    const { name, given_name } = await student('s-3')
    assert.deepEqual([name, given_name], ['Juan Andrés Pérez García', 'Juan Andrés'])
  })

  it('is that of the first and second guardian, too', async () => {
    const of = (who: string) =>
      `Primer apellido ${who};Segundo apellido ${who};Nombre ${who};Teléfono ${who};Correo electrónico ${who}`
    const header = `Matrícula;Nombre completo;Clase;Teléfono;${of('Primer tutor')};${of('Segundo tutor')}`
    const rows = [
      's-4;Eva Gil Mora;Class 1;600;Mora;Ruiz;Rosa;601;rosa@example.es;Gil;;Luis;602;luis@example.es',
      's-5;Ana Rey;Class 1;603;;;;;;Rey;Paz;Tom;604;',
    ]
    await importer.applied(await planned(header, ...rows))
    assert.deepEqual((await student('s-4')).guardians, ['Rosa Mora Ruiz', 'Luis Gil'])
    assert.deepEqual((await student('s-5')).guardians, ['Tom Rey Paz'])
    assert.equal((await planned(header, ...rows, '')).counts.unchanged, 2)
  })
})
