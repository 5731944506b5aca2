import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { runCommand } from '../../test/command.ts'
import { onceOnly } from '../../test/engine.ts'
import { openSchool } from '../../test/school.ts'

const school = await openSchool()
const { databaseUrl } = school
const run = (...args: string[]) => runCommand(['school', ...args], { databaseUrl })
const shown = async () => (await run('show', '--json')).json()

const fresh = { name: null, address: null, time_zone: 'UTC', name_order: 'given_first' }

describe('school set', () => {
  it('changes what is given, and keeps the rest', async () => {
    assert.deepEqual(await shown(), fresh)
    const { status, stdout } = await run('set', '--name', ' Lindenschule ', '--time-zone', 'Europe/Berlin')
    assert.equal(status, 0)
    assert.match(stdout, /^ +Name +Lindenschule\n +Address +not set\n +Time zone +Europe\/Berlin\n/)
    const changed = { ...fresh, name: 'Lindenschule', time_zone: 'Europe/Berlin' }
    assert.deepEqual(await shown(), changed)
    await run('set', '--name', '', '--address', 'Lindenweg 4\n12345 Berlin', '--name-order', 'family_first')
    const expected = { address: 'Lindenweg 4\n12345 Berlin', name_order: 'family_first' }
    assert.deepEqual(await shown(), { ...changed, ...expected, name: null })
    assert.match((await run('show')).stdout, /Address +Lindenweg 4, 12345 Berlin\n/)
    const read = await school.get('/api/school', await school.person())
    assert.deepEqual(read.body.data, await shown())
  })

  it('tells all that is wrong, and changes nothing', onceOnly, async () => {
    const before = await shown()
    const wrong = await run('set', '--name', 'Fine', '--time-zone', 'Mars/Base', '--name-order', 'by age')
    assert.deepEqual(
      [wrong.status, wrong.stderr],
      [
        1,
        'The time zone must be the name of a time zone in the IANA database, for example Europe/Berlin. The order of names must be one of given_first, family_first.\n',
      ],
    )
    const bare = await run('set')
    assert.equal(bare.status, 2)
    assert.match(bare.stderr, /^One of --name, --address, --time-zone, --name-order is needed\.\n/)
    assert.deepEqual(await shown(), before)
  })
})
