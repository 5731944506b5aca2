import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { temporaryFile } from '../../test/cleanup.ts'
import { runWell } from '../../test/command.ts'
import { Importer } from '../../test/import-calls.ts'
import { openSchool, type School } from '../../test/school.ts'

describe('an import that is left half done, where no server runs,', () => {
  let school: School
  let importer: Importer
  let left: number
  const rows = 'name,admission_number,class\nAda Left,hd-1,Class 1\nBo Left,hd-2,Class 2\n'
  beforeEach(async () => {
    school = await openSchool()
    school.passSeconds(Math.floor((Date.now() - school.now().getTime()) / 1_000)) // commands have no other clock
    importer = new Importer(school, await school.person('registrar'))
    const planned = await importer.planned(rows)
    await school.app.importJobs.stop()
    assert.equal((await importer.apply(planned)).status, 202)
    left = planned.id
  })
  const stateNow = async () => (await importer.read(left)).state

  it('is told by check, and ended before the next is planned: the same rows are not taken for others', async () => {
    const { databaseUrl } = school
    assert.equal(await stateNow(), 'applying')
    const { warnings } = (await runWell(['check', '--json'], { databaseUrl })).json()
    const warning = `Import ${left} is half applied. It goes on while a server runs, and the next import by command ends it.`
    assert.ok(warnings.includes(warning), warnings.join('\n'))
    const path = temporaryFile('again.csv', `${rows}Cy New,hd-3,Class 1\n`)
    const { stdout, stderr } = await runWell(['import', path, '--apply', '--json'], { databaseUrl })
    assert.equal(stderr, `Import ${left} is half applied. It is ended first.\n`)
    const { state, counts } = JSON.parse(stdout)
    assert.deepEqual([state, counts.create, counts.unchanged], ['applied', 1, 2])
    assert.equal(await stateNow(), 'applied')
    assert.equal(await school.count('students'), 3)
  })

  it('is ended before it is taken back', async () => {
    const undone = await runWell(['import', 'undo', `${left}`], { databaseUrl: school.databaseUrl })
    assert.match(undone.stderr, /is half applied\. It is ended first\.\n$/)
    assert.equal(undone.stdout, `Import ${left} is undone.\n`)
    assert.deepEqual([await stateNow(), await school.count('students')], ['undone', 0])
  })
})
