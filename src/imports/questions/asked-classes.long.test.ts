// Measures times: it has few neighbours.
import assert from 'node:assert/strict'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { describe, it } from 'node:test'
import { Importer } from '../../../test/import-calls.ts'
import { openSchool } from '../../../test/school.ts'

/** Ten times as long as a slice of an import may take, in milliseconds. */
const longestMs = 1_000

describe('very many unknown classes', () => {
  it('are asked about without keeping others waiting', async () => {
    const school = await openSchool()
    const importer = new Importer(school, await school.person('administrator'))
    const where = 'der Grundschule am Lindenweg im Gebäude hinter der großen Turnhalle'
    const labels = Array.from({ length: 4_000 }, (_, i) => `Klasse ${i} ${where}`)
    const classes = await importer.planned(`label\n${labels.join('\n')}\n`, '?kind=classes')
    assert.equal((await importer.applied(classes)).state, 'applied')
    const rows = Array.from({ length: 200 }, (_, i) => `Ada,u-${i},"Klas ${i}x ${where}"\n`)
    const delay = monitorEventLoopDelay({ resolution: 10 })
    delay.enable()
    const { state, questions } = await importer.read(
      await importer.send(`name,admission_number,class\n${rows.join('')}`),
    )
    delay.disable()
    const required = questions.filter((one: { required: boolean }) => one.required)
    assert.deepEqual([state, required.length], ['question', 200])
    const slowest = delay.max / 1e6
    assert.ok(slowest < longestMs, `others waited for ${Math.round(slowest)} ms`)
  })
})
