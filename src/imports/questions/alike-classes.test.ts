import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { Importer, type ShownImport } from '../../../test/import-calls.ts'
import { openSchool, type Person, type School } from '../../../test/school.ts'

describe('classes that a file writes in another way', () => {
  const labels = [1, 2, 3, 4, 5, 6].flatMap((year) => [...'abcdef'].map((letter) => `${year}${letter}`))
  const rowsOf = (written: readonly string[]) =>
    `name,admission_number,class\n${written.map((label, i) => `Child ${label},w-${i},${label}\n`).join('')}`
  let school: School
  let office: Person
  let importer: Importer
  before(async () => {
    school = await openSchool()
    office = await school.person('administrator')
    importer = new Importer(school, office)
    const classes = await importer.planned(`label\n${labels.join('\n')}\n`, '?kind=classes')
    assert.equal((await importer.applied(classes)).state, 'applied')
  })

  const asked = async (...written: string[]) => importer.read(await importer.send(rowsOf(written)))
  const onClasses = ({ questions }: ShownImport): ShownImport[] =>
    questions.filter(({ key }: ShownImport) => key.startsWith('class.'))

  /** What is proposed first on each label, and how alike it is. */
  const proposals = (imported: ShownImport) =>
    onClasses(imported).map(({ key, choices: [first] }) => [key, first.text, first.likeness])

  it('are each asked, with the one that is the same but for its spelling first, and to create it after that', async () => {
    const written = labels.map((label) => `Klasse ${label}`)
    const before = await asked(...written)
    assert.equal(before.state, 'question')
    const expected = labels.map((label) => [`class.Klasse ${label}`, label, 'spelling'])
    assert.deepEqual(proposals(before), expected)
    for (const { choices } of onClasses(before)) {
      const others = choices.slice(1)
      assert.ok(others.some(({ answer }: ShownImport) => answer === 'create'))
      assert.ok(others.every((choice: object) => !('likeness' in choice)))
    }
    const answers = Object.fromEntries(onClasses(before).map(({ key, choices }) => [key, choices[0].answer]))
    const done = await importer.applied(await importer.continued(before, { answers }))
    assert.deepEqual([done.state, done.counts.create], ['applied', labels.length])
    const { body } = await school.get('/api/students?search=w-35', office)
    assert.equal(body.data[0].class, '6f')
    const { body: classes } = await school.get('/api/classes', office)
    assert.ok(!classes.data.some(({ label }: { label: string }) => label.startsWith('Klasse')))
  })

  it('are proposed for other words for a class, in other languages and scripts', async () => {
    const written = ['Grade 3-B', '3 b', 'الصف ٣b', 'Curso 3 B', 'صف 7', 'Clas 8']
    assert.deepEqual(proposals(await asked(...written)), [
      ['class.Grade 3-B', '3b', 'spelling'],
      ['class.3 b', '3b', 'spelling'],
      ['class.الصف ٣b', '3b', 'spelling'],
      ['class.Curso 3 B', '3b', 'spelling'],
      ['class.صف 7', 'Class 7', 'spelling'],
      ['class.Clas 8', 'Class 8', 'near'],
    ])
  })

  it('are proposed for a letter that was typed twice, and not for the next letter', async () => {
    assert.deepEqual(proposals(await asked('5aa', '5g')), [
      ['class.5aa', '5a', 'near'],
      ['class.5g', 'Create the class "5g"', undefined],
    ])
  })
})

describe('a new class that a file writes in several ways', () => {
  let school: School
  let office: Person
  before(async () => {
    school = await openSchool()
    office = await school.person('administrator')
  })

  const rows = ['9x', '9 X', '9X', 'Klasse 9x', '9x', '9y', '9.z', '9z']
  const file = `name,admission_number,class\n${rows.map((label, i) => `Child ${i},n-${i},${label}\n`).join('')}`
  const asked = async (sent: string) => {
    const importer = new Importer(school, office)
    const imported = await importer.read(await importer.send(sent))
    const questions: ShownImport[] = imported.questions.filter(({ key }: ShownImport) =>
      key.startsWith('class.'),
    )
    return { importer, imported, questions }
  }

  it('is proposed for all, as most rows write it, and is one', async () => {
    const { importer, imported, questions } = await asked(file)
    assert.deepEqual(
      questions.map(({ key, choices: [first, second] }) => [
        key,
        first.answer,
        first.text,
        first.likeness,
        second.answer,
      ]),
      [
        ['class.9x', 'create', 'Create the class "9x"', undefined, 'leave_out'],
        ['class.9 X', 'create:9x', 'Create the class "9x"', 'spelling', 'create'],
        ['class.Klasse 9x', 'create:9x', 'Create the class "9x"', 'spelling', 'create'],
        ['class.9y', 'create', 'Create the class "9y"', undefined, 'leave_out'],
        ['class.9.z', 'create', 'Create the class "9.z"', undefined, 'leave_out'],
        ['class.9z', 'create:9.z', 'Create the class "9.z"', 'spelling', 'create'],
      ],
    )
    const answers = Object.fromEntries(questions.map(({ key, choices }) => [key, choices[0].answer]))
    const done = await importer.applied(await importer.continued(imported, { answers }))
    assert.deepEqual([done.state, done.counts.create], ['applied', rows.length])
    const { body } = await school.get('/api/students?sort=admission_number', office)
    const classes = ['9x', '9x', '9x', '9x', '9x', '9y', '9.z', '9.z']
    assert.deepEqual(
      body.data.map((one: { class: string }) => one.class),
      classes,
    )
  })

  it('is there for the next file, which asks about what is written in another way', async () => {
    const { importer, imported, questions } = await asked(`${file}\n`)
    const proposed = questions.map(({ key, choices: [first] }) => [key, first.text, first.likeness])
    assert.deepEqual(proposed, [
      ['class.9 X', '9x', 'spelling'],
      ['class.Klasse 9x', '9x', 'spelling'],
      ['class.9z', '9.z', 'spelling'],
    ])
    const answers = Object.fromEntries(
      questions.map(({ key }) => [key, `create:${key.includes('z') ? '9.z' : '9x'}`]),
    )
    const planned = await importer.continued(imported, { answers })
    assert.equal(planned.counts.unchanged, rows.length, 'a class that is there is taken, not made')
  })
})
