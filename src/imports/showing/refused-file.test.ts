import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { personHolding, revokeAll } from '../../../test/grants.ts'
import { Importer } from '../../../test/import-calls.ts'
import { openSchool, type School } from '../../../test/school.ts'
import { readXlsx } from '../../../test/sheets.ts'
import { inline, sheetOf, writtenWorkbook } from '../../../test/workbooks.ts'
import { getAuthority } from '../../access/authority.ts'
import { type FaultCode, faultTable } from '../../problems.ts'
import { rowFaultCodes } from '../codes.ts'
import { findImport } from '../queries.ts'
import { refusedFile } from './refused-file.ts'
import { refusedLanguages, wordsIn } from './refused-words.ts'

describe('GET /api/imports/{id}/refused', () => {
  let school: School
  before(async () => {
    school = await openSchool()
  })

  it('tells the class of each row where the names of the sheets are the classes', async () => {
    const registrar = await school.person('registrar')
    const importer = new Importer(school, registrar)
    const rowsOf = (name: string) =>
      [
        ['name', 'email'],
        [name, 'none'],
      ].map((row) => row.map(inline))
    const sheets = ['Class 1', 'Class 2'].map((name) => ({ name, ...sheetOf(rowsOf(`Child of ${name}`)) }))
    const asked = await importer.read(await importer.send(await writtenWorkbook({ sheets })))
    const answers = { class_id: 'sheet', admission_number: 'r-*01' }
    const { id, counts } = await importer.continued(asked, { answers })
    assert.equal(counts.refused, 2)
    const { rawPayload } = await school.inject({
      method: 'GET',
      url: `/api/imports/${id}/refused`,
      headers: { authorization: `Bearer ${registrar.token}` },
    })
    const [sheet] = [...(await readXlsx(rawPayload)).values()]
    assert.deepEqual(
      sheet!.map((row) => row.slice(1)),
      [
        ['class', 'name', 'email'],
        ['Class 1', 'Child of Class 1', 'none'],
        ['Class 2', 'Child of Class 2', 'none'],
      ],
    )
  })

  it('keeps what a row has beyond the headings, so that the row is refused again and nothing of it is lost', async () => {
    const importer = new Importer(school, await school.person('registrar'))
    const header = ['name', 'admission_number', 'class', 'address']
    const row = ['Ida Beyond', 'bh-1', 'Class 1', 'Oak Road 5', ' Springfield', 'peanut allergy']
    // What a workbook has beyond its headings is asked about, as columns without headings.
    const { id } = await importer.planned([header, row].map((cells) => cells.join()).join('\n'))
    const { text } = await importer.refused(id)
    const again = await importer.planned(text)
    assert.deepEqual([again.counts.refused, again.counts.create], [1, 0])
    const [[refused], [before]] = [await importer.rows(again.id), await importer.rows(id)]
    assert.deepEqual([before.cells[0].code, refused.cells], ['beyond_header', before.cells])
  })

  it('is written as the file itself: with its delimiter, and a mark by which spreadsheets know UTF-8', async () => {
    const importer = new Importer(school, await school.person('registrar'))
    for (const delimiter of [',', ';', '\t', '|']) {
      const rows = [
        ['name', 'admission_number', 'class'],
        ['Zoë', '', 'Class 1'],
      ].map((row) => row.join(delimiter))
      const { id, counts } = await importer.planned(`${rows.join('\n')}\n`)
      assert.equal(counts.refused, 1)
      const { text } = await importer.refused(id)
      const [header, row] = text.split('\r\n')
      assert.equal(header, `\uFEFFproblem${delimiter}${rows[0]}`)
      assert.ok(row!.endsWith(`${delimiter}${rows[1]}`), row)
    }
  })

  it('says in a language what is wrong, by the headings of the file, and is taken again when it is corrected', async () => {
    const importer = new Importer(school, await school.person('registrar'))
    const headings = 'Schüler-Nr.;Name;Geboren am;Klasse;E-Mail'
    const file = [
      headings,
      'sp-1;Ole Lange;31.02.2012;Class 1;',
      'sp-2;Clara Vogel;09.05.2012;;keine',
      'sp-3;Tim Yılmaz;10.05.2012;Class 1;#REF!',
    ]
    const { id, counts } = await importer.planned(`${file.join('\n')}\n`)
    assert.equal(counts.refused, 3)
    const problems = async (query: string) => {
      const { status, text } = await importer.refused(id, query)
      assert.equal(status, 200, text)
      const [header, ...rows] = text.replace(/\r\n$/, '').split('\r\n')
      assert.equal(header, `\uFEFFproblem;${headings}`, 'an import takes this column off')
      return rows.map((row) => /^"(.*)";|^([^;]*);/.exec(row)!.slice(1).join(''))
    }
    assert.deepEqual(await problems('?language=de'), [
      'Geboren am: Diesen Tag gibt es nicht.',
      'E-Mail: Das ist nicht lesbar. Prüfen Sie die Schreibweise. Klasse: Das fehlt in der Datei.',
      'E-Mail: In der Zelle steht ein Fehler der Tabellenkalkulation. Schreiben Sie den Wert.',
    ])
    assert.deepEqual(await problems('?language=en'), [
      'Geboren am: There is no such day.',
      'E-Mail: This cannot be read. Check how it is written. Klasse: This is missing in the file.',
      'E-Mail: The cell holds an error of the spreadsheet. Write the value.',
    ])
    assert.deepEqual(await problems('?language=ar'), [
      'Geboren am: لا يوجد هذا اليوم.',
      'E-Mail: لا يمكن قراءة هذا. راجع طريقة الكتابة. Klasse: هذا ناقص في الملف.',
      'E-Mail: في الخلية خطأ من برنامج الجداول. اكتب القيمة.',
    ])
    assert.match((await problems(''))[0]!, /^date_of_birth must be a day of the calendar/)
    const { text: refused } = await importer.refused(id, '?language=de')
    const corrected = refused.replace('31.02.2012', '28.02.2012')
    const again = await importer.planned(corrected)
    assert.deepEqual([again.counts.create, again.counts.refused], [1, 2])
  })

  it('says in each language what would be right: how a day is written, what can be chosen, and which character nobody sees', async () => {
    const administrator = await school.person('administrator')
    const field = { label: 'Haus', kind: 'one_of', options: ['Eiche', 'Ulme'] }
    assert.equal((await school.post('/api/fields', field, administrator)).status, 201)
    const importer = new Importer(school, administrator)
    const { id } = await importer.planned(
      'Name,admission_number,class,date_of_birth,Haus\nO\u200ble,h-1,Class 1,soon,Linde\nBo,h-2,Class 1,18-02-19,Eiche\n',
    )
    const years = {
      de: 'date_of_birth: Das Jahr braucht vier Ziffern, wie in 9.3.2014.',
      en: 'date_of_birth: The year needs four digits, as in 9/3/2014.',
      ar: 'date_of_birth: يجب أن تُكتب السنة بأربعة أرقام، كما في \u20669/3/2014\u2069.',
    }
    const said = {
      de: 'Name: Darin steht ein Zeichen, das niemand sieht: U+200B. Löschen Sie es. date_of_birth: Schreiben Sie den Tag so: 2014-03-09, ab 1900. Stehen dort Zahlen, formatieren Sie die Spalte als Datum. Haus: Möglich sind: Eiche, Ulme.',
      en: 'Name: It holds a character that nobody sees: U+200B. Delete it. date_of_birth: Write the day as 2014-03-09, from 1900 on. Format a column of numbers as dates. Haus: Choose one of: Eiche, Ulme.',
      ar: 'Name: فيه حرف لا يراه أحد: U+200B. احذفه. date_of_birth: اكتب التاريخ هكذا: \u20662014-03-09\u2069، من عام 1900 فصاعدًا. ونسّق عمود الأرقام كتاريخ. Haus: اختر من: Eiche، Ulme.',
    }
    for (const [language, problem] of Object.entries(said)) {
      const { text } = await importer.refused(id, `?language=${language}`)
      assert.ok(text.includes(problem), text)
      assert.ok(text.includes(years[language as keyof typeof years]), text)
    }
    const [{ cells }] = await importer.rows(id)
    const [name] = cells.filter(({ column }: { column: string }) => column === 'name')
    assert.deepEqual([name.code, name.params], ['invalid_format', { unseen: 'U+200B' }])
    assert.match(name.detail, /; it holds U\+200B$/)
    const student = { name: 'O\u200ble', admission_number: 'h-1', class_id: 1 }
    const { body } = await school.post('/api/students', student, administrator)
    assert.match(body.errors[0].detail, /; it holds U\+200B$/)
  })

  it('has words in each language for each reason why a row is not imported', async () => {
    const params = { limit: 5, minimum: 1, maximum: 9 }
    for (const language of refusedLanguages) {
      const words = await wordsIn(language, { headings: ['Mail'], columns: ['email'] }, [])
      for (const code of [...(Object.keys(faultTable) as FaultCode[]), ...rowFaultCodes]) {
        const said = words.fault({ column: 'email', code, detail: 'of the server', params })
        assert.match(said, /^Mail: ..+\.$/, `${language} ${code}`)
        assert.doesNotMatch(said, /of the server/, `${language} ${code}`)
      }
    }
  })

  it('names in a language what no column of the file holds, and rows as those of the file that was sent', async () => {
    const importer = new Importer(school, await school.person('administrator'))
    const classes = await importer.planned('Klasse\n9A\n9a\n', '?kind=classes')
    const { text } = await importer.refused(classes.id, '?language=de')
    assert.match(text, /\nKlasse: Steht auch in Zeile 2 der gesendeten Datei\.,9a\r\n$/)
    const asked = await importer.read(
      await importer.send('Schüler-Nr.,Name\nno-1,No Class\n', '?mode=create'),
    )
    const { id } = await importer.continued(asked, { answers: { class_id: 'none' } })
    assert.match((await importer.refused(id, '?language=de')).text, /\nKlasse: Das fehlt in der Datei\.,no-1/)
    assert.match(
      (await importer.refused(id, '?language=en')).text,
      /\nClass: This is missing in the file\.,no-1/,
    )
    const byId = await importer.planned('name,admission_number,class_id\nNo Such,no-2,4711\n')
    assert.match((await importer.refused(byId.id, '?language=en')).text, /\n"?class_id: .*,no-2,4711/)
    const unknown = await importer.refused(id, '?language=xx')
    assert.deepEqual([unknown.status, unknown.body.errors[0].pointer], [422, '/language'])
  })

  it('gives the rows that are left out where it is asked for them, with the reason', async () => {
    const registrar = await school.person('registrar')
    const importer = new Importer(school, registrar)
    const born = { date_of_birth: '2014-03-09' }
    await school.student(registrar, { name: 'Zoë Same', admission_number: 'lo-1', class_id: 1, ...born })
    const headings = 'admission_number,name,class,date_of_birth'
    const rows = [
      'lo-2,Zoë Same,Class 1,2014-03-09',
      'lo-3,Out Of,9X,2014-03-10',
      'lo-4,Re Fused,,2014-03-11',
      'lo-5,Go Od,Class 1,2014-03-12',
    ]
    const asked = await importer.read(await importer.send(`${[headings, ...rows].join('\n')}\n`))
    const doubtful = await importer.continued(asked, { answers: { 'class.9X': 'leave_out' } })
    const decisions = [{ row: 2, decision: 'leave_out' }]
    const { id, counts } = await importer.continued(doubtful, { decisions })
    assert.deepEqual([counts.left_out, counts.refused, counts.create], [2, 1, 1])
    const given = async (query: string) => {
      const { status, text, headers } = await importer.refused(id, query)
      assert.equal(status, 200, text)
      const [header, ...lines] = text.replace(/\r\n$/, '').split('\r\n')
      assert.equal(header, `\uFEFFproblem,${headings}`)
      return [String(headers['content-disposition']).split('"')[1], ...lines]
    }
    const [out, of, refused] = rows as [string, string, string]
    const plainly = [`row is left out by hand,${out}`, `class is a class whose rows are left out,${of}`]
    assert.deepEqual(await given('?outcome=left_out'), [`left_out-${id}.csv`, ...plainly])
    const both = await given('?outcome=refused&outcome=left_out')
    assert.deepEqual(both, [`refused-left_out-${id}.csv`, ...plainly, `class is required,${refused}`])
    assert.deepEqual(await given(''), [`refused-${id}.csv`, `class is required,${refused}`])
    assert.deepEqual((await given('?outcome=left_out&language=de')).slice(1), [
      `Zeile: von Ihnen weggelassen.,${out}`,
      `class: Zeilen dieser Klasse werden weggelassen.,${of}`,
    ])
    assert.match((await given('?outcome=left_out&language=ar'))[1]!, /استبعدته أنت/)
    const unknown = await importer.refused(id, '?outcome=create')
    assert.deepEqual([unknown.status, unknown.body.errors[0].pointer], [422, '/outcome'])
  })

  it('tells in a language nothing of cells that its reader may not see', async () => {
    const importer = new Importer(school, await school.person('registrar'))
    const file = 'admission_number,name,class,email,date_of_birth\nhid-1,Hid Den,Class 1,secret@,\n'
    const { id } = await importer.planned(file)
    const reader = await personHolding(school, [['students.import', 'students.view'], 'all'])
    const { text } = await school.get(`/api/imports/${id}/refused?language=de`, reader)
    assert.match(text, /\r\n[^,]*: für Sie nicht sichtbar\.,/)
    assert.doesNotMatch(text, /secret|lesbar/)
  })

  it('breaks off where the import is planned anew meanwhile, since its rows go then', async () => {
    const { db } = school
    const reader = await school.person('registrar')
    const importer = new Importer(school, reader)
    const rows = Array.from({ length: 300 }, (_, i) => `,pa-${i},Class 1\n`).join('')
    const { id } = await importer.planned(`name,admission_number,class\n${rows}`)
    // It is asked before two slices with rows, and before one without.
    for (const planAnewAt of [1, 2, 3]) {
      const planned = await importer.read(id)
      const imported = (await findImport(db, id))!
      let asked = 0
      const now = async () => {
        const found = { authority: await getAuthority(db, reader.id), imported: (await findImport(db, id))! }
        if (++asked === planAnewAt) await importer.continued(planned, {})
        return found
      }
      const { content } = await refusedFile(db, imported, { language: undefined, outcomes: ['refused'], now })
      await assert.rejects(Array.fromAsync(content), { code: 'import_state' }, `${planAnewAt}`)
    }
  })

  it('tells no more rows to a reader who may not read them any more', async () => {
    const { db } = school
    const reader = await school.person('registrar')
    const rows = Array.from({ length: 300 }, (_, i) => `,rm-${i},Class 1\n`).join('')
    const importer = new Importer(school, reader)
    const { id } = await importer.planned(`name,admission_number,class\n${rows}`)
    const imported = (await findImport(db, id))!
    const now = async () => {
      const authority = await getAuthority(db, reader.id)
      authority.require('students.import')
      return { authority, imported }
    }
    const asked = { language: undefined, outcomes: ['refused'], now } as const
    const { content: pieces } = await refusedFile(db, imported, asked)
    for (let piece = 0; piece < 2; piece++) assert.equal((await pieces.next()).done, false)
    await revokeAll(school, reader)
    await assert.rejects(pieces.next(), { code: 'permission_denied' })
  })
})
