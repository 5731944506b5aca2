import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { Importer } from '../../../test/import-calls.ts'
import { openSchool } from '../../../test/school.ts'

type Asked = { key: string; choices: { answer: string | number }[] }

describe('a file with two columns for the class', () => {
  let importer: Importer
  before(async () => {
    const school = await openSchool()
    const registrar = await school.person('administrator')
    importer = new Importer(school, registrar)
    await school.post('/api/classes', { label: '1 ESO A' }, registrar)
  })

  /** What is proposed for its columns, and then for its classes where that is taken. */
  async function proposed(...lines: string[]) {
    const asked = await importer.read(await importer.send(`${lines.join('\n')}\n`))
    const of = (questions: Asked[], prefix: string) =>
      Object.fromEntries(
        questions
          .filter(({ key }) => key.startsWith(prefix))
          .map(({ key, choices }) => [key.slice(prefix.length), choices[0]!.answer]),
      )
    const columns = of(asked.questions, 'column.')
    const answers = Object.fromEntries(Object.entries(columns).map(([key, one]) => [`column.${key}`, one]))
    const next = Object.keys(answers).length === 0 ? asked : await importer.continued(asked, { answers })
    return { columns, classes: of(next.questions, 'class.'), next }
  }

  it('proposes to join a year and a group of which neither is the class', async () => {
    const one = await proposed('Matrícula;Alumno;Curso;Grupo', 'J1;Ana;1 ESO;A', 'J2;Leo;1 ESO;B')
    assert.deepEqual(one.columns, { Curso: 'class' })
    const { columns, classes, next } = await proposed(
      'Matrícula;Alumno;Curso;Grupo',
      'J1;Ana Gil;1 ESO;A',
      'J2;Leo Ruiz;2 ESO;A',
      'J3;Eva Sanz;2 ESO;B',
    )
    assert.deepEqual([columns, classes], [{ Curso: 'class' }, { '2 ESO A': 'create', '2 ESO B': 'create' }])
    const planned = await importer.continued(next, {
      answers: { 'class.2 ESO A': 'create', 'class.2 ESO B': 'create' },
    })
    const rows = await importer.rows(planned.id)
    const classOf = ({ cells }: { cells: { column: string; to: string }[] }) =>
      cells.find(({ column }) => column === 'class')?.to
    assert.deepEqual(rows.map(classOf), ['1 ESO A', '2 ESO A', '2 ESO B'])
  })

  it('joins a number and a letter without a space between', async () => {
    const lines = ['Schülernummer;Name;Jahrgang;Zug', 'J4;Ida Holm;7;b', 'J5;Bo Nord;8;b', 'J6;Eva Berg;8;a']
    const { columns, classes } = await proposed(...lines)
    assert.deepEqual(columns, { Jahrgang: 'class', Zug: 'class' })
    assert.deepEqual(Object.keys(classes), ['7b', '8b', '8a'])
    const indian = await proposed('Admission No;Name;Class;Section', 'J7;Asha Rao;7;B', 'J8;Ravi Rao;7;A')
    assert.deepEqual([indian.columns, Object.keys(indian.classes)], [{ Section: 'class' }, ['7B', '7A']])
  })

  it('proposes to leave out a year that the class tells, and groups within a class', async () => {
    const { columns } = await proposed(
      'Matricule;Nom complet;Niveau;Classe;Groupe',
      'J7;Ida Holm;6EME;6A;G1',
      'J8;Bo Nord;6EME;6A;G2',
      'J9;Eva Berg;5EME;5A;G1',
    )
    assert.deepEqual(columns, { Niveau: 'leave_out', Groupe: 'leave_out' })
  })

  it('joins the section to the class, whatever the class is called', async () => {
    const joins = async (...lines: string[]) => {
      const { columns, classes } = await proposed(...lines)
      return [columns, Object.keys(classes)]
    }
    assert.deepEqual(
      await joins('رقم الطالب;اسم الطالب;الصف;الفصل', '11;علي حسن;الرابع;1', '12;سعد فهد;الخامس;1'),
      [{ الفصل: 'class' }, ['الرابع 1', 'الخامس 1']],
    )
    assert.deepEqual(
      await joins('رقم الطالب;اسم الطالب;رقم الصف;الفصل', '13;علي حسن;0725;1', '14;سعد فهد;0825;1'),
      [{ 'رقم الصف': 'class' }, ['0725 1', '0825 1']],
    )
    assert.deepEqual(
      await joins('Admission No;Name;Class;Division', 'K1;Asha Rao;9th;B', 'K2;Ravi Rao;9th;A'),
      [{ Division: 'class' }, ['9th B', '9th A']],
    )
    assert.deepEqual(await joins('Admission No;Name;Class;Section', 'K3;Asha Rao;Nursery;A'), [
      { Section: 'class' },
      ['Nursery A'],
    ])
    assert.deepEqual(await joins('Admission No;Name;Class;Section', 'K4;Asha Rao;9A;A', 'K5;Ravi Rao;9B;B'), [
      { Section: 'leave_out' },
      ['9A', '9B'],
    ])
    assert.deepEqual(
      await joins('Student No;Name;Grade;Section', 'K7;Ana Cruz;7;Rizal', 'K8;Jo Reyes;8;Luna'),
      [{ Grade: 'class', Section: 'class' }, ['7 Rizal', '8 Luna']],
    )
    assert.deepEqual(
      await joins('Admission No;Name;Class;Section', 'M1;Asha Rao;Class 5;Rose', 'M2;Ravi Rao;Class 5;Lily'),
      [{ Section: 'class' }, ['Class 5 Rose', 'Class 5 Lily']],
    )
    assert.deepEqual(
      await joins('Matricule;Nom complet;Classe;Section', 'M3;Ida Holm;3A;Euro', 'M4;Bo Nord;3A;Bilingue'),
      [{ Section: 'leave_out' }, ['3A']],
    )
    assert.deepEqual(
      await joins(
        'Matricule;Nom complet;Classe;Section',
        'M5;Ida Holm;Mme Roux;PS',
        'M6;Bo Nord;Mme Roux;MS',
      ),
      [{ Section: 'leave_out' }, ['Mme Roux']],
    )
    assert.deepEqual(
      await joins('رقم القيد;اسم الطالب;الصف;الفصل', 'M7;علي حسن;الأول;1/1', 'M8;سعد فهد;الأول;1/2'),
      [{ الفصل: 'class' }, ['الأول 1/1', 'الأول 1/2']],
    )
    assert.deepEqual(await joins('Matricule;Nom complet;Division', 'K6;Ida Holm;6A'), [{}, ['6A']])
  })

  it('takes the class where a year stands in front of it that it tells', async () => {
    const { columns, classes } = await proposed(
      'Pupil No;Name;Year;Reg',
      'L1;Sam Hill;Year  7;7B',
      'L2;Ann Reed;Year  7;7A',
      'L3;Tom Ford;Year  8;8A',
    )
    assert.deepEqual(
      [columns, Object.keys(classes)],
      [{ Year: 'leave_out', Reg: 'class' }, ['7B', '7A', '8A']],
    )
  })
})
