import { it } from 'node:test'
import { grant, personHolding } from '../../test/grants.ts'
import { openSchool, type Person } from '../../test/school.ts'

const H = { 'if-match': '*' }
const say = (...x: unknown[]) =>
  console.log(process.env.DB_NOTE ?? '', ...x.map((y) => (typeof y === 'string' ? y : JSON.stringify(y))))
async function office() {
  const school = await openSchool()
  const admin = await school.person('administrator')
  const patch = async (as: Person, path: string, body: object) =>
    school.send('PATCH', path, { as, body, headers: H })
  const last = async (path: string) => (await school.get(`${path}/history`, admin)).body.data[0].change_set_id
  const undo = (as: Person, n: number) => school.post(`/api/change-sets/${n}/undo`, undefined, as)
  return { school, admin, patch, last, undo }
}
const t = (name: string, f: () => Promise<void>) =>
  it(name, async () => {
    try {
      await f()
    } catch (e) {
      say('THROW', name, String((e as Error).message).slice(0, 400))
    }
  })

t('odd inputs', async () => {
  const { school, admin } = await office()
  await school.post(
    '/api/fields',
    { label: 'Constructor', key: 'constructor', kind: 'one_of', options: ['a', 'b'] },
    admin,
  )
  await school.post('/api/fields', { label: 'House', key: 'house', kind: 'text' }, admin)
  await school.student(admin)
  for (const q of [
    'gender=%00',
    'guardian=%00',
    'guardian=%00%40',
    'guardian=a%00@b',
    'guardian=abc%00',
    'search=%00',
    'search=abc%00d',
    'fields.constructor=%00',
    'fields.constructor=a',
    'fields.constructor.empty=true',
    'columns=fields.constructor,id',
    'columns=%00',
    'columns=__proto__',
    'columns=constructor',
    'columns=',
    'sort=',
    'class_id=',
    'class_id=&class_id=3',
    'class_id=9007199254740991',
    'date_of_birth.from=0000-00-00',
    'date_of_birth.from=%00',
    'date_of_birth.from=0001-01-01',
    'fields.__proto__=1',
    '__proto__=1',
    'constructor=1',
    '__proto__.empty=true',
    'fields.house=x',
    'fields.house.empty=',
    'fields.house.empty=maybe',
    'fields.nope.empty=true',
    'gender=%F0%9F%98%80',
    'gender=',
    'guardian=',
    'guardian=%25%25%25',
    'guardian=____',
    'guardian="""',
    'guardian=1234567890123456789012345678901234567890',
    'guardian=%ED%A0%80',
    'gender=%ED%A0%80',
    'gender=%EF%BF%BE',
    'gender=%E2%80%AE',
    'search=%ED%A0%80',
    'columns=id,id',
    'columns=' + 'id,'.repeat(1000),
    'page=1000000&per_page=1000',
    'page=1000000&per_page=1000&sort=family_name&class_id=1',
    'other_than=1',
    'guardian=a@b%7F',
    'guardian=\u00e9@x',
  ]) {
    const a = await school.get('/api/students?' + q, admin)
    if (a.status >= 500 || !/^(200|422|400)$/.test(String(a.status)))
      say('LIST', q, a.status, a.text.slice(0, 200))
  }
  for (const q of [
    'since=0000-01-01',
    'until=0000-01-01',
    'since=0000-01-01T00:00Z',
    'since=9999-12-31',
    'since=2026-02-31',
    'since=2026-01-01T24:00Z',
    'actor=0',
    'actor=999999999999999',
    'actor=00',
    'record_id=9007199254740991',
    'record_id=0',
    'before=999999999999999.999999999',
    'before=0.0',
    'before=%00',
    'actor=%00',
    'action=created&record=student&per_page=1000',
    'actor=',
    'since=',
    'since=%00',
  ]) {
    const a = await school.get('/api/audit?' + q, admin)
    if (a.status >= 500 || !/^(200|422|400)$/.test(String(a.status)))
      say('AUDIT', q, a.status, a.text.slice(0, 200))
  }
  const raw = async (method: string, url: string, payload: string) => {
    const a = await school.send(method, url, {
      as: admin,
      payload,
      headers: { ...H, 'content-type': 'application/json' },
    })
    if (a.status >= 500) say('RAW', method, url, payload.slice(0, 80), a.status, a.text.slice(0, 300))
    return a
  }
  const base = '"name":"X","admission_number":"Z-1","class_id":1'
  for (const f of [
    '{"__proto__":1}',
    '{"constructor":"a"}',
    '{"house":"\\u0000"}',
    '{"house":"\\ud800"}',
    '{"\\u0000":1}',
    '{"\\ud800":1}',
    '{"house":1e999}',
    '{"house":null}',
    '{"house":{"a":1}}',
    '{"house":[]}',
    '{"constructor":[]}',
    '{"constructor":{}}',
    '[]',
    'null',
    '1',
    '"x"',
    '{"":1}',
    '{"house":' + '['.repeat(5000) + ']'.repeat(5000) + '}',
    '{"toString":"a"}',
    '{"hasOwnProperty":1}',
    '{"house":"' + 'x'.repeat(60000) + '"}',
  ])
    await raw('PATCH', '/api/students/1', `{"fields":${f}}`)
  for (const b of [
    '"identifiers":[]',
    '"guardians":[]',
    '"identifiers":[{"system":"\\u0000","value":"a"}]',
    '"identifiers":[{"system":"a","value":"\\ud800"}]',
    '"identifiers":[{"__proto__":{"a":1},"system":"a","value":"b"}]',
    '"guardians":[{"name":"a","phone":"\\u0000"}]',
    '"guardians":[{"name":"a","email":"x@y\\u0000"}]',
    '"former_names":"\\u0000"',
    '"identifiers":[{"system":"a","value":"b"},{"system":"A","value":"B"}]',
    '"email":"\\u0000@x"',
    '"name":"a","given_name":null',
    '"fields":{}',
    '"class_id":9007199254740991',
    '"class_id":1e300',
    '"class_id":-1',
  ])
    await raw('PATCH', '/api/students/1', `{${b}}`)
  for (const b of [
    '"filters":{"__proto__":"x"}',
    '"filters":{"constructor":"x"}',
    '"filters":{"fields.constructor":"a"}',
    '"filters":{"search":"\\u0000"}',
    '"filters":{"guardian":"\\ud800"}',
    '"filters":{"gender":"\\u0000"}',
    '"columns":["__proto__"]',
    '"columns":["fields.constructor"]',
    '"columns":[]',
    '"columns":["\\u0000"]',
    '"print":{"title":"\\u0000"}',
    '"print":{"__proto__":1}',
    '"order":"__proto__"',
    '"filters":{"fields.house":"\\u0000"}',
    '"filters":{"fields.house":"\\ud800"}',
  ])
    await raw('POST', '/api/lists', `{"name":"${b.length}${b.charCodeAt(12)} ${Math.random()}",${b}}`)
  for (const p of [
    '{"filters":{"__proto__":null}}',
    '{"filters":{"search":null,"constructor":null}}',
    '{"filters":{"fields.house":null}}',
    '{"print":{"__proto__":null}}',
    '{"columns":null}',
    '{"filters":null}',
    '{"print":null}',
    '{"name":null}',
  ])
    await raw('PATCH', '/api/lists/1', p)
  for (const f of [
    '"key":"__proto__"',
    '"key":"constructor"',
    '"key":"\\u0000"',
    '"options":[]',
    '"options":["\\u0000"]',
    '"options":["a","A"]',
    '"options":["\\ud800"]',
    '"position":1e308',
    '"position":-0',
    '"label":"\\ud800"',
  ])
    await raw('POST', '/api/fields', `{"label":"L ${Math.random()}","kind":"one_of",${f}}`)
  for (const u of [
    '/api/doubles/0/0',
    '/api/doubles/1/1',
    '/api/doubles/1/9007199254740991',
    '/api/doubles/1/99999999999999999999',
  ])
    await raw('PUT', u, '{"different":true}')
  for (const u of [
    '/api/change-sets/0/undo',
    '/api/change-sets/9007199254740991/undo',
    '/api/change-sets/99999999999999999999/undo',
    '/api/change-sets/%00/undo',
    '/api/change-sets/-1/undo',
  ])
    await raw('POST', u, '{}')
  for (const o of [
    '1',
    '0',
    '9007199254740991',
    '1,1',
    '%00',
    Array.from({ length: 21 }, (_, i) => i + 1).join(),
    ',',
  ])
    await raw('POST', '/api/students?other_than=' + o, `{${base}}`)
  for (const s of [
    '{"name":"\\u0000"}',
    '{"address":"\\ud800"}',
    '{"time_zone":"__proto__"}',
    '{"time_zone":"\\u0000"}',
    '{"name_order":"constructor"}',
    '{"__proto__":1}',
  ])
    await raw('PATCH', '/api/school', s)
  const big = '9'.repeat(50)
  await raw('POST', '/api/students', `{"name":"X","admission_number":"${big}","class_id":1}`)
  const n = await school.get('/api/students/next-number', admin)
  say('next', n.status, n.text.slice(0, 150))
  await raw('POST', '/api/students', `{"name":"X","admission_number":"９９９","class_id":1}`)
  const n2 = await school.get('/api/students/next-number', admin)
  say('next', n2.status, n2.text.slice(0, 150))
  await raw('POST', '/api/students', `{"name":"X","admission_number":"\u0663\u0664","class_id":1}`)
  const n3 = await school.get('/api/students/next-number', admin)
  say('next', n3.status, n3.text.slice(0, 150))
  await raw('POST', '/api/students', `{"name":"X","admission_number":"A%_\\\\9","class_id":1}`)
  const n4 = await school.get('/api/students/next-number', admin)
  say('next', n4.status, n4.text.slice(0, 150))
})

t('undo move to archived class', async () => {
  const { school, admin, patch, last, undo } = await office()
  const path = `/api/students/${await school.student(admin, { class_id: 1 })}`
  await patch(admin, path, { class_id: 2 })
  await patch(admin, '/api/classes/1', { archived: true })
  const u = await undo(admin, await last(path))
  say('archived move', u.status, u.text, (await school.get(path, admin)).body.data.class_id)
})

t('restore into archived / removed class', async () => {
  const { school, admin, patch, last, undo } = await office()
  const made = await school.post('/api/classes', { label: 'Temp' }, admin)
  const c = made.body.data.id
  const id = await school.student(admin, { class_id: c })
  const path = `/api/students/${id}`
  const u1 = await undo(admin, await last(path))
  await patch(admin, `/api/classes/${c}`, { archived: true })
  const del = await school.send('DELETE', `/api/classes/${c}`, { as: admin, headers: H })
  say('delete class', del.status, del.text.slice(0, 120))
  const u2 = await undo(admin, u1.body.data.change_set_id)
  say('restore', u2.status, u2.text.slice(0, 300), (await school.get(path, admin)).text)
})

t('removed archived class comes back', async () => {
  const { school, admin, patch, last, undo } = await office()
  const c = (await school.post('/api/classes', { label: 'Temp' }, admin)).body.data.id
  await patch(admin, `/api/classes/${c}`, { archived: true })
  await school.send('DELETE', `/api/classes/${c}`, { as: admin, headers: H })
  const set = (await school.get('/api/audit?record=class', admin)).body.data[0]
  const u = await undo(admin, set.change_set_id)
  say('class back', u.status, (await school.get(`/api/classes/${c}`, admin)).text)
})

t('joined names', async () => {
  const { school, admin, patch, last, undo } = await office()
  const mk = async (b: object) =>
    `/api/students/${(await school.post('/api/students', { admission_number: `j${Math.random()}`, class_id: 1, ...b }, admin)).body.data.id}`
  const path = await mk({ given_name: 'Zoe', family_name: 'Meier' })
  await patch(admin, path, { family_name: 'Wrong' })
  const wrong = await last(path)
  await patch(admin, path, { given_name: 'Zoey' })
  const u = await undo(admin, wrong)
  say('joined1', u.text, (await school.get(path, admin)).text)
  const p2 = await mk({ given_name: 'Zoe', family_name: 'Meier' })
  await patch(admin, p2, { name: 'Other' })
  const w2 = await last(p2)
  await patch(admin, p2, { family_name: 'New' })
  const u2 = await undo(admin, w2)
  say('joined2', u2.text, (await school.get(p2, admin)).text)
  const p3 = await mk({ given_name: 'A' })
  await patch(admin, p3, { family_name: 'B' })
  const w3 = await last(p3)
  await patch(admin, p3, { given_name: null })
  const u3 = await undo(admin, w3)
  say('joined3', u3.status, u3.text, (await school.get(p3, admin)).text)
})

t('field became sensitive', async () => {
  const { school, admin, patch, last, undo } = await office()
  const f = (await school.post('/api/fields', { label: 'Care', key: 'care', kind: 'text' }, admin)).body.data
    .id
  const id = await school.student(admin)
  const path = `/api/students/${id}`
  await patch(admin, path, { fields: { care: 'SECRETVALUE' } })
  const set = await last(path)
  await patch(admin, `/api/fields/${f}`, { sensitive: true })
  const teacher = await personHolding(school, [['students.view', 'students.update'], 'all'])
  const h = await school.get(`${path}/history`, teacher)
  say('gap', h.text.includes('SECRETVALUE'), h.body.data[0])
  const u = await undo(teacher, set)
  say('gap undo', u.status, u.text.slice(0, 200))
  const filt = await school.get('/api/students?fields.care.empty=true', teacher)
  say(filt.status)
})

t('other_than undo', async () => {
  const { school, admin, last, undo } = await office()
  const one = await school.student(admin, { name: 'Same' })
  const a = await school.post(
    `/api/students?other_than=${one}`,
    { name: 'Same', admission_number: 'q', class_id: 1 },
    admin,
  )
  const path = `/api/students/${a.body.data.id}`
  const set = (await school.get(`${path}/history`, admin)).body.data[0].change_set_id
  const u = await undo(admin, set)
  say('other_than', u.status, u.text.slice(0, 200))
})

t('settled pair lost', async () => {
  const { school, admin, last, undo } = await office()
  const one = await school.student(admin, { name: 'Same' })
  const two = await school.student(admin, { name: 'Same' })
  await school.send('PUT', `/api/doubles/${one}/${two}`, { as: admin, body: { different: true } })
  const d1 = await school.get('/api/doubles', admin)
  const path = `/api/students/${two}`
  const u = await undo(admin, await last(path))
  const u2 = await undo(admin, u.body.data.change_set_id)
  say(
    'settled',
    u.status,
    u2.status,
    d1.body.pagination,
    (await school.get('/api/doubles', admin)).body.pagination,
  )
})

t('failed creations leave no log', async () => {
  const { school, admin } = await office()
  const clerk = await school.person('registrar')
  await school.student(admin, { admission_number: 'dup' })
  const before = (await school.get('/api/audit?per_page=1000', admin)).body.data.length
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, i) =>
      school.post(
        '/api/students',
        {
          name: `N${i}`,
          admission_number: i % 3 === 0 ? 'dup' : i % 3 === 1 ? `ok${i}` : `ok${i - 1}`,
          class_id: i % 7 === 0 ? 999 : 1,
        },
        i % 2 ? admin : clerk,
      ),
    ),
  )
  const ok = answers.filter((a) => a.status === 201)
  const st: Record<string, number> = {}
  for (const a of answers)
    st[`${a.status} ${a.body.code ?? ''}`] = (st[`${a.status} ${a.body.code ?? ''}`] ?? 0) + 1
  const after = (await school.get('/api/audit?per_page=1000', admin)).body.data
  const sets = await school.db.selectFrom('change_sets').select('id').execute()
  const ev = await school.db
    .selectFrom('events')
    .select(['change_set_id', 'record_id', 'record', 'fields'])
    .execute()
  const lone = sets.filter(({ id }) => !ev.some((e) => e.change_set_id === id))
  let wrong = 0
  for (const a of ok) {
    const got = (await school.get(`/api/students/${a.body.data.id}`, admin)).body.data
    const e = ev.filter((x) => x.record === 'student' && x.record_id === got.id)
    if (e.length !== 1 || JSON.parse(e[0]!.fields).name[1] !== got.name) wrong++
  }
  say('creations', st, 'log', after.length - before, 'ok', ok.length, 'lone', lone.length, 'wrong', wrong)
})
