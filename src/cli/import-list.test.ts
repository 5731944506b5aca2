import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { temporaryFile } from '../../test/cleanup.ts'
import { runCommand, runWell } from '../../test/command.ts'
import { Importer } from '../../test/import-calls.ts'
import { openSchool, type Person, type School } from '../../test/school.ts'

describe('import list', () => {
  let school: School
  let registrar: Person
  const header = 'name,admission_number,class\n'
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
  })

  const list = async (...options: string[]) => runWell(['import', 'list', ...options], school)

  it('shows each import with the id that an undo takes: what an account sent, and what a command did', async () => {
    const none = await list()
    assert.match(none.stdout, /^ +ID +SENT +STATE +BY +CREATE +CHANGE +FILE\n$/)
    const importer = new Importer(school, registrar)
    const sent = await importer.planned(`${header}Ada Listed,il-1,Class 1\n`, '?file_name=Year%207.csv')
    const { id: asked } = await importer.read(await importer.send(`${header}Bo Listed,il-2,9Q\n`))
    await importer.applied(sent)
    const path = temporaryFile('by-command.csv', `${header}Cy Listed,il-3,Class 1\nDi Listed,il-4,Class 1\n`)
    const { id } = (await runWell(['import', path, '--apply', '--json'], school)).json()
    const lines = (await list()).stdout.split('\n').slice(1, -1)
    assert.deepEqual(
      lines.map((line) =>
        line
          .trim()
          .replace(/\d{4}-\d\d-\d\d \d\d:\d\d/, 'TIME')
          .split(/ {2,}/),
      ),
      [
        [String(id), 'TIME', 'applied', 'command import', '2', '0', 'by-command.csv'],
        [String(asked), 'TIME', 'question', `account ${registrar.id}`],
        [String(sent.id), 'TIME', 'applied', `account ${registrar.id}`, '1', '0', 'Year 7.csv'],
      ],
    )
    const applied = (await list('--state', 'applied', '--count', '1', '--json')).json()
    assert.equal(applied.total, 2)
    assert.deepEqual(
      applied.imports.map((one: { id: number; state: string }) => [one.id, one.state]),
      [[id, 'applied']],
    )
  })

  it('says what a wrong call should be', async () => {
    const calls: [options: string[], said: RegExp][] = [
      [['--state', 'done'], /^--state must be one of reading, question, planned, /],
      [['--count', '0'], /^--count must be a number from 1 to 1000\./],
      [['12'], /^There are more arguments than it takes\./],
    ]
    for (const [options, said] of calls) {
      const { status, stderr } = await runCommand(['import', 'list', ...options], school)
      assert.equal(status, 2)
      assert.match(stderr, said)
    }
  })
})
