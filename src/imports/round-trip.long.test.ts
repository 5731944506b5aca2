// It takes minutes.
import { describe, it } from 'node:test'
import { exportsComeBackUnchanged, survivesDamage } from '../../test/round-trips.ts'
import { openSchool } from '../../test/school.ts'

describe('an export that is imported again', () => {
  it('changes nothing, for students of every kind', async () =>
    exportsComeBackUnchanged(await openSchool(), { runs: 25, students: 30 }))

  it('and that a spreadsheet has damaged changes nothing that is not asked or shown', async () =>
    survivesDamage(await openSchool(), { runs: 30, students: 25 }))
})
