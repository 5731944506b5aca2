import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Importer } from '../../../test/import-calls.ts'
import { openSchool } from '../../../test/school.ts'

describe('the plan of a file whose names have the family name first', () => {
  it('doubts a child who is there under the same name in another order', async () => {
    const school = await openSchool()
    const registrar = await school.person('registrar')
    const importer = new Importer(school, registrar)
    const known = {
      name: 'Paul van Fischer',
      admission_number: 'p-1',
      class_id: 6,
      date_of_birth: '2015-06-21',
    }
    const paul = await school.student(registrar, known)
    const undated = await school.student(registrar, {
      name: 'Ida Moor',
      admission_number: 'p-2',
      class_id: 6,
    })
    const planned = await importer.planned(
      [
        'name;admission_number;class;date_of_birth',
        'van Fischer Paul;q-1;Class 6;2015-06-21',
        'VAN FISCHER, PAUL;q-2;Class 5;2015-06-21',
        'Fischer van Paul;q-3;Class 6;2015-06-21',
        'van Fischer Paul;q-4;Class 6;2015-06-22',
        'Moor, Ida;q-5;Class 6;',
      ].join('\n'),
    )
    assert.deepEqual([planned.counts.doubtful, planned.counts.create], [3, 2])
    const rows = await importer.rows(planned.id, '&outcome=doubtful')
    const told = rows.map(({ row, cells }) => [
      row,
      cells.flatMap(({ code, ids }: { code?: string; ids?: number[] }) => (ids ? [code, ...ids] : [])),
    ])
    assert.deepEqual(told, [
      [2, ['same_name_and_date', paul]],
      [3, ['same_name_and_date', paul]],
      [6, ['same_name_and_class', undated]],
    ])
  })

  it('doubts two new rows of one child whose names are in another order', async () => {
    const school = await openSchool()
    const importer = new Importer(school, await school.person('registrar'))
    const told = async (...lines: readonly string[]) => {
      const { id } = await importer.planned(lines.join('\n'))
      const rows = await importer.rows(id, '&outcome=doubtful')
      return rows.map(({ row, cells }) => {
        const { code, params } = cells.find(({ code }: { code?: string }) => code !== undefined)
        return [row, code, params.row]
      })
    }
    const dated = await told(
      'name;admission_number;class;date_of_birth',
      'Paul Fischer;t-1;Class 6;2015-06-21',
      'Ida Moor;t-2;Class 6;2015-06-21',
      'Fischer, Paul;t-3;Class 5;2015-06-21',
      'FISCHER PAUL;t-4;Class 5;2015-06-21',
      'Fischer, Paul;t-5;Class 6;2015-06-22',
      'Paul van Fischer;t-6;Class 6;2015-06-23',
      'Fischer van Paul;t-7;Class 6;2015-06-23',
    )
    assert.deepEqual(dated, [
      [2, 'name_and_date_twice', 4],
      [4, 'name_and_date_twice', 2],
      [5, 'name_and_date_twice', 2],
    ])
    const asked = await importer.read(
      await importer.send('name;class\nOtto van Berg;Class 7\nvan Berg, Otto;Class 7\nBerg, Otto;Class 7'),
    )
    const { id, counts } = await importer.continued(asked, { answers: { admission_number: 'u-*1' } })
    assert.deepEqual([counts.doubtful, counts.create], [2, 1])
    const [first] = await importer.rows(id, '&outcome=doubtful')
    assert.equal(first.cells.at(-1).code, 'name_and_class_twice')
    const alike = await told(
      'name;admission_number;class;date_of_birth',
      'Ada Long;0077;Class 6;2015-06-24',
      'Long, Ada;77;Class 6;2015-07-24',
      'Bo Short;0078;Class 6;2015-06-25',
      'Ada Other;78;Class 6;2015-07-25',
    )
    assert.deepEqual(alike, [
      [2, 'similar_number_twice', 3],
      [3, 'similar_number_twice', 2],
    ])
  })
})

describe('the plan of a file whose names have more than one space between their words', () => {
  it('doubts rows as if there were one', async () => {
    const school = await openSchool()
    const registrar = await school.person('registrar')
    const importer = new Importer(school, registrar)
    const born = { class_id: 6, date_of_birth: '2015-01-01' }
    const anna = await school.student(registrar, { name: 'Anna  Maria Klein', ...born })
    const tom = await school.student(registrar, { name: 'Tom Gross', class_id: 6 })
    const { id, counts } = await importer.planned(
      [
        'name;admission_number;class;date_of_birth',
        'Anna Maria   Klein;r-1;Class 6;2015-01-01',
        'Klein\u00a0\u00a0Anna Maria;r-2;Class 5;2015-01-01',
        'Tom  Gross;r-3;Class 6;',
        'Ute  von  Bach;r-4;Class 6;2015-01-02',
        'Ute von Bach;r-5;Class 5;2015-01-02',
      ].join('\n'),
    )
    assert.equal(counts.doubtful, 5)
    const rows = await importer.rows(id, '&outcome=doubtful')
    const told = rows.map(({ cells }) => [cells.at(-1).code, cells.at(-1).ids ?? cells.at(-1).params.row])
    assert.deepEqual(told, [
      ['name_and_date_twice', 3],
      ['name_and_date_twice', 2],
      ['same_name_and_class', [tom]],
      ['name_and_date_twice', 6],
      ['name_and_date_twice', 5],
    ])
    const [first] = rows
    assert.deepEqual(first.cells.at(-2).ids, [anna])
  })
})

describe('the plan of a file that writes ae for ä, oe for ö, ue for ü and aa for å', () => {
  it('doubts a child who is there with the letter itself, or the other way round', async () => {
    const school = await openSchool()
    const registrar = await school.person('registrar')
    const importer = new Importer(school, registrar)
    const child = (name: string, more: object) => school.student(registrar, { name, class_id: 6, ...more })
    const jorg = await child('Jörg Müller', { date_of_birth: '2015-06-03' })
    const soren = await child('Søren Åberg', { date_of_birth: '2015-06-04' })
    const gunther = await child('Günther Größe', { date_of_birth: '2015-06-05' })
    const kaethe = await child('Kaethe Maass', { date_of_birth: '2015-06-06' })
    const samuel = await child('Samuel Ra’ed', { date_of_birth: '2015-06-07' })
    const undated = await child('Björn Kjær', {})
    const { id, counts } = await importer.planned(
      [
        'name;admission_number;class;date_of_birth',
        'Joerg Mueller;s-1;Class 9;2015-06-03',
        'Aaberg, Soeren;s-2;Class 9;2015-06-04',
        'Guenther Groesse;s-3;Class 9;2015-06-15',
        'Guenther Groesse;s-4;Class 9;2015-06-05',
        'Käthe Maaß;s-5;Class 9;2015-06-06',
        'Samuel Raed;s-6;Class 9;2015-06-07',
        'Bjoern Kjaer;s-7;Class 6;',
        'Maaß Kaethe;s-8;Class 9;2015-06-06',
      ].join('\n'),
    )
    assert.deepEqual([counts.create, counts.doubtful], [1, 7])
    const rows = await importer.rows(id, '&outcome=doubtful')
    const told = rows.map(({ row, cells }) => [
      row,
      ...cells.flatMap(({ code, ids }: { code?: string; ids?: number[] }) => (ids ? [code, ...ids] : [])),
    ])
    assert.deepEqual(told, [
      [2, 'similar_name_and_date', jorg],
      [3, 'similar_name_and_date', soren],
      [5, 'similar_name_and_date', gunther],
      [6, 'similar_name_and_date', kaethe],
      [7, 'similar_name_and_date', samuel],
      [8, 'same_name_and_class', undated],
      [9, 'same_name_and_date', kaethe],
    ])
    const { detail } = rows[0].cells.find(({ code }: { code?: string }) => code !== undefined)
    assert.equal(
      detail,
      'is that of a student whose name differs in one character, or in spellings such as ae for ä',
    )
  })

  it('doubts one whose name has spaces for hyphens, also where there are several', async () => {
    const school = await openSchool()
    const registrar = await school.person('registrar')
    const importer = new Importer(school, registrar)
    const child = (name: string, more: object) => school.student(registrar, { name, class_id: 6, ...more })
    const ann = await child('Ann-Kathrin Müller-Lüdenscheidt', { date_of_birth: '2015-06-03' })
    const omar = await child('Omar Al Masri', {})
    const { id, counts } = await importer.planned(
      [
        'name;admission_number;class;date_of_birth',
        'MUELLER LUEDENSCHEIDT, ANN KATHRIN;h-1;Class 9;2015-06-03',
        'al-Masri, Omar;h-2;Class 6;',
        'Ann Kathrin Müller;h-3;Class 9;2015-06-03',
      ].join('\n'),
    )
    assert.deepEqual([counts.create, counts.doubtful], [1, 2])
    const rows = await importer.rows(id, '&outcome=doubtful')
    assert.deepEqual(
      rows.map(({ cells }) => [cells.at(-1).code, ...cells.at(-1).ids]),
      [
        ['similar_name_and_date', ann],
        ['same_name_and_class', omar],
      ],
    )
  })

  it('doubts two new rows of one child', async () => {
    const school = await openSchool()
    const importer = new Importer(school, await school.person('registrar'))
    const { id, counts } = await importer.planned(
      [
        'name;admission_number;class;date_of_birth',
        'Jörg Müller;t-1;Class 6;2015-06-21',
        'Mueller, Joerg;t-2;Class 5;2015-06-21',
        'Joerg Muller;t-3;Class 5;2015-06-22',
        'Göran Øst;0077;Class 6;2015-06-24',
        'Oest, Goeran;77;Class 6;2015-07-24',
      ].join('\n'),
    )
    assert.deepEqual([counts.create, counts.doubtful], [1, 4])
    const rows = await importer.rows(id, '&outcome=doubtful')
    const told = rows.map(({ row, cells }) => [row, cells.at(-1).code, cells.at(-1).params.row])
    assert.deepEqual(told, [
      [2, 'name_and_date_twice', 3],
      [3, 'name_and_date_twice', 2],
      [5, 'similar_number_twice', 6],
      [6, 'similar_number_twice', 5],
    ])
  })
})
