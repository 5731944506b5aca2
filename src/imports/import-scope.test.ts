import assert from 'node:assert/strict'
import { it } from 'node:test'
import { grant, personHolding, revokeAll } from '../../test/grants.ts'
import { Importer } from '../../test/import-calls.ts'
import { openSchool } from '../../test/school.ts'

it('who may import for some classes imports nothing into others, and changes nobody in them', async () => {
  const school = await openSchool()
  const registrar = await school.person('registrar')
  await school.student(registrar, { name: 'Elsewhere', admission_number: 'sc-9', class_id: 5 })
  const besides = [['students.view', 'students.create', 'students.update'], 'all'] as const
  const clerk = await personHolding(school, [['students.import'], [3]], besides)
  const importer = new Importer(school, clerk)
  const lines = ['Ada,sc-1,Class 5', 'Bo,sc-2,Class 3', 'Changed,sc-9,Class 5', 'Cy,sc-3,No Such Class']
  const asked = await importer.read(await importer.send(`name,admission_number,class\n${lines.join('\n')}\n`))
  const answers = Object.fromEntries(asked.questions.map(({ key }: { key: string }) => [key, 'leave_out']))
  const planned = asked.questions.length > 0 ? await importer.continued(asked, { answers }) : asked
  assert.equal(planned.counts.create, 1)
  assert.equal(planned.counts.change, 0)
  await importer.applied(planned, { refused: 'skip' })
  assert.equal(await school.count('students'), 2)
  await revokeAll(school, clerk)
  await grant(school, clerk, [['students.import'], 'all'], besides)
  assert.equal((await importer.planned(`name,admission_number,class\n${lines[0]}\n`)).counts.create, 1)
})
