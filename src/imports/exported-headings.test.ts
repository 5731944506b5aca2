// Runs once: how a file is read, and what its headings mean, does not depend on the engine.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { Importer } from '../../test/import-calls.ts'
import { openSchool, type Person, type School } from '../../test/school.ts'
import { headingLanguages } from '../exports/headings.ts'

describe('an export with headings in a language', () => {
  let school: School
  let registrar: Person
  before(async () => {
    school = await openSchool()
    const admin = await school.person('administrator')
    registrar = await school.person('registrar')
    const field = { key: 'house', label: 'House', kind: 'text' }
    assert.equal((await school.post('/api/fields', field, admin)).status, 201)
    for (const [i, label] of ['Vorname', 'Telefon der Mutter', 'Date de naissance'].entries())
      assert.equal(
        (await school.post('/api/fields', { key: `own_${i}`, label, kind: 'text' }, admin)).status,
        201,
      )
    const guardian = (i: number) => ({
      ...{ name: `Guardian ${i}`, relation: `relation ${i}`, phone: `030 55501${i}`, note: `Note ${i}` },
      ...{ email: `g${i}@family.example`, address: `Lindenweg ${i}` },
    })
    const zoë = {
      ...{ admission_number: '0042', class_id: 5, given_name: 'Zoë', family_name: 'Müller', name: undefined },
      ...{ preferred_name: 'Zozo', former_names: 'Zoë Meier', date_of_birth: '2014-03-09', gender: 'female' },
      ...{ email: 'zoe@school.example', address: 'Lindenweg 4', notes: 'Nuts' },
      fields: { house: 'Oak', own_0: 'Zoé', own_1: '030 1', own_2: 'May' },
      identifiers: [{ system: 'UPN', value: 'A1' }],
      guardians: Array.from({ length: 10 }, (_, i) => guardian(i)),
    }
    await school.student(registrar, zoë as object)
    await school.student(registrar, { name: 'Suharto', admission_number: '0043', class_id: 6 })
  })

  for (const headings of headingLanguages)
    it(`comes back as it went, without a question: ${headings}`, async () => {
      const importer = new Importer(school, registrar)
      for (const file of ['students.csv', 'students.xlsx']) {
        const { payload, status } = await exported(`/api/${file}?headings=${headings}`)
        assert.equal(status, 200)
        const { counts, questions, warnings, file: read } = await importer.planned(payload)
        assert.deepEqual([counts.rows, counts.unchanged], [2, 2], JSON.stringify(read.header))
        assert.deepEqual(
          questions.filter(({ required }: { required: boolean }) => required),
          [],
        )
        assert.deepEqual([...new Set(warnings.map(({ code }: { code: string }) => code))], ['kept_by_server'])
      }
    })

  it('has the words of an office, and the names of what is the school’s or the server’s', async () => {
    const query = 'columns=family_name,class,date_of_birth,guardians,fields.house,id&headings=de'
    const { payload } = await exported(`/api/students.csv?${query}&bom=off`)
    const [header] = payload.toString().split('\r\n')
    assert.match(header!, /^Nachname,Klasse,Geburtsdatum,Erziehungsberechtigte 1 Name,/)
    assert.match(header!, /,Erziehungsberechtigte 10 Notiz,fields\.house,id$/)
    const plain = await exported('/api/students.csv?columns=family_name&bom=off')
    assert.match(plain.payload.toString(), /^family_name\r\n/)
    const refused = await school.get('/api/students.csv?headings=tlh', registrar)
    assert.deepEqual([refused.status, refused.body.errors[0].code], [422, 'not_allowed'])
  })

  it('is told of in the log as any other', async () => {
    const entries = (await school.get('/api/audit?record=export&actor=me', registrar)).body.data
    assert.ok(entries.length > 0)
    assert.doesNotMatch(JSON.stringify(entries), /headings/)
  })

  async function exported(path: string): Promise<{ status: number; payload: Buffer }> {
    const { statusCode, rawPayload } = await school.app.inject({
      url: path,
      headers: { authorization: `Bearer ${registrar.token}` },
    })
    return { status: statusCode, payload: rawPayload }
  }
})
