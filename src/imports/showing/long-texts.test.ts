import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { personHolding } from '../../../test/grants.ts'
import { Importer } from '../../../test/import-calls.ts'
import { openSchool, type Person, type School } from '../../../test/school.ts'

const header = 'name,admission_number,class'

describe('imports of files with long texts', () => {
  let school: School
  let registrar: Person
  let importer: Importer
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
    importer = new Importer(school, registrar)
  })

  const listedTo = async (person: Person, id: number) =>
    (await school.get('/api/imports?per_page=1000', person)).body.data.find(
      (one: { id: number }) => one.id === id,
    )

  it('are listed without what their files hold, and are the same else', async () => {
    const asks = await importer.read(
      await importer.send(`${header},${'Where from '.repeat(50)}\nAda,l-1,Class 5,Elm\n`),
    )
    assert.equal(asks.state, 'question')
    const planned = await importer.planned(`${header}\nAda,l-2,Class 5\nBo,l-3,Class 6\n`)
    const seesLess = await personHolding(school, [['students.import'], 'all'], [['students.view'], [5]])
    for (const person of [registrar, seesLess]) {
      for (const { id } of [asks, planned]) {
        const { data } = (await school.get(`/api/imports/${id}`, person)).body
        const { questions, answers, decided, warnings, mapping, new_fields, file, ...others } = data
        const { name, format, bytes } = file
        assert.deepEqual(await listedTo(person, id), { ...others, file: { name, format, bytes } })
      }
    }
    assert.notDeepEqual((await listedTo(seesLess, planned.id)).counts, planned.counts)
  })

  it('hold the beginning of a text that is refused', async () => {
    const text = `${'x'.repeat(999)}😀${'y'.repeat(30_000)}`
    const { id } = await importer.planned(`${header},notes\nAda,l-4,Class 5,${text}\n`)
    const { body } = await school.get(`/api/imports/${id}/rows`, registrar)
    const cell = body.data[0].cells.find(({ code }: { code?: string }) => code === 'too_long')
    assert.equal(cell.to, `${'x'.repeat(999)}\ufffd…`)
  })

  it('are shown in as many rows a page as are told: no more than some megabytes', async () => {
    const text = 'x'.repeat(30_000)
    const rows = Array.from({ length: 300 }, (_, i) => `Ada,l-5-${i},Class 5,${text}\n`)
    const { id } = await importer.planned(`${header},notes\n${rows.join('')}`)
    const page = (perPage: number, query = '') =>
      school.get(`/api/imports/${id}/rows?per_page=${perPage}${query}`, registrar)
    for (const query of ['', '&outcome=refused']) {
      const { status, body } = await page(1_000, query)
      assert.equal(status, 422)
      const [{ pointer, code, params }] = body.errors
      assert.deepEqual([pointer, code, params.minimum], ['/per_page', 'out_of_range', 1])
      const fewer = await page(Math.min(params.maximum, 250), query)
      assert.equal(fewer.status, 200, fewer.text)
    }
    assert.equal((await page(1_000, '&group=true')).body.data[0].count, 300)
  })
})
