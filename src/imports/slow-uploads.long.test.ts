// Waits for timers: it begins early.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { openSchool, type Person, type School } from '../../test/school.ts'
import { frame, openWire, type Wire } from '../../test/wire.ts'

describe('files that come slowly', { concurrency: true }, () => {
  let school: School
  let wire: Wire
  before(async () => {
    school = await openSchool()
    wire = await openWire(school)
  })

  const text = 'name,admission_number,class_id\nAda Lovelace,slow-1,1\n'

  const upload = ({ token }: Person) =>
    frame([
      'POST /api/imports HTTP/1.1',
      'Host: localhost',
      'Connection: close',
      `Authorization: Bearer ${token}`,
      'Content-Type: text/csv',
      `Content-Length: ${text.length}`,
    ])

  it('are taken where other requests are cut after 10 s', async () => {
    const person = await school.person('registrar')
    const { answers } = await wire.exchange(
      upload(person) + text.slice(0, 9),
      () => pause(15_000),
      text.slice(9),
    )
    assert.equal(answers[0]?.status, 202)
  })

  it('are cut where a piece takes longer than 32 s, and their imports fail', async () => {
    const person = await school.person('registrar')
    const { answers, ms } = await wire.exchange(upload(person) + text.slice(0, 9))
    assert.deepEqual([answers[0]?.status, answers[0]?.body.code], [408, 'request_timeout'])
    assert.ok(ms > 31_000 && ms < 45_000, `cut after ${ms} ms`)
    const state = () =>
      school.db.selectFrom('imports').select('state').where('user_id', '=', person.id).executeTakeFirst()
    while ((await state())?.state === 'reading') await pause(50)
    assert.equal((await state())?.state, 'failed')
  })
})
