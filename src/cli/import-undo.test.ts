import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { temporaryFile } from '../../test/cleanup.ts'
import { runCommand, runWell } from '../../test/command.ts'
import { Importer } from '../../test/import-calls.ts'
import { openSchool, type Person, type School } from '../../test/school.ts'
import { serverEnvironment } from '../../test/server.ts'
import { needsTerminal, runAtTerminal } from '../../test/terminal.ts'

describe('import undo', () => {
  let school: School
  let registrar: Person
  const header = 'name,admission_number,class\n'
  before(async () => {
    school = await openSchool()
    school.passSeconds(Math.floor((Date.now() - school.now().getTime()) / 1_000)) // commands have no other clock
    registrar = await school.person('registrar')
  })

  const numbered = async (number: string) =>
    (await school.get(`/api/students?search=${number}`, registrar)).body.data

  it('takes back what an account imported, in the name of the command, and lists what stays', async () => {
    const importer = new Importer(school, registrar)
    const rows = [
      'given_name,family_name,admission_number,class',
      'Ada,Undo,iu-1,Class 1',
      'Bo,Undo,iu-2,Class 1',
    ]
    const asked = await importer.read(await importer.send(rows.join('\n')))
    const answers = { name_order: 'given_first' }
    const { id } = await importer.applied(await importer.continued(asked, { answers }))
    const [bo] = await numbered('iu-2')
    const change = { as: registrar, body: { name: 'Bob' }, headers: { 'if-match': '*' } }
    assert.equal((await school.send('PATCH', `/api/students/${bo.id}`, change)).status, 200)
    const { stdout, stderr } = await runWell(['import', 'undo', String(id)], school)
    assert.equal(
      stdout,
      `Import ${id} is undone.\nChanged since, and left as it is:\n  row 3, student ${bo.id}: name\n`,
    )
    assert.equal(stderr, '', 'a line about progress is for terminals')
    assert.deepEqual([(await numbered('iu-1')).length, (await numbered('iu-2')).length], [0, 1])
    const after = await importer.read(id)
    assert.deepEqual([after.state, after.made_by], ['undone', { user_id: registrar.id }])
    const { entries } = (await runWell(['audit', 'list', '--json', '--count', '1'], school)).json()
    assert.deepEqual([entries[0].command, entries[0].note], ['import undo', `of import ${id}`])
  })

  it('takes back what the command imported, and says why it cannot', async () => {
    const path = temporaryFile('undo.csv', `${header}Cy Undo,iu-3,Class 1\n`)
    const applied = (await runWell(['import', path, '--apply', '--json'], school)).json()
    const again = temporaryFile('again.csv', `${header}Cy Undo,iu-3,Class 1\n\n`)
    const same = (await runWell(['import', again, '--apply', '--json'], school)).json()
    const undone = (await runWell(['import', 'undo', `${applied.id}`, '--json'], school)).json()
    assert.deepEqual([undone.state, undone.kept, undone.made_by], ['undone', [], { command: 'import' }])
    assert.deepEqual(await numbered('iu-3'), [])
    const calls: [args: string[], status: number, said: RegExp][] = [
      [[`${applied.id}`], 1, /^The import is undone; it cannot be undone now\.\n$/],
      [[`${same.id}`], 1, /^The import changed nothing: there is nothing to take back\.\n$/],
      [['4711'], 1, /^There is no import 4711\./],
      [['0'], 2, /^ID must be the number of an import, such as 12\.\n/],
      [[], 2, /^ID is missing\.\n/],
    ]
    for (const [args, status, said] of calls) {
      const outcome = await runCommand(['import', 'undo', ...args], school)
      assert.equal(outcome.status, status, outcome.stderr)
      assert.match(outcome.stderr, said)
    }
  })

  it('and import tell a terminal how far they are', needsTerminal, async () => {
    const path = temporaryFile('shown.csv', `${header}Di Undo,iu-4,Class 1\n`)
    const setting = { env: serverEnvironment(school.databaseUrl), question: /never asked/, typed: [] }
    const { status, screen } = await runAtTerminal(`import '${path}' --apply`, setting)
    assert.equal(status, 0, screen)
    const lines = screen.split('\r\x1b[K')
    assert.ok(
      lines.some((line) => /^Reading and planning: \d+ rows$/.test(line)),
      screen,
    )
    assert.match(lines.at(-1)!, /^\S*shown\.csv:/, 'the line is gone before the plan is printed')
    const [, id] = /import undo (\d+)/.exec(screen)!
    const undone = await runAtTerminal(`import undo ${id}`, setting)
    assert.equal(undone.status, 0, undone.screen)
    assert.ok(/Undoing: \d+.* rows/.test(undone.screen), undone.screen)
  })
})
