// It takes minutes.
import { describe, it } from 'node:test'
import { exportsComeBackUnchanged, survivesDamage } from '../../test/round-trips.ts'
import { openSchool } from '../../test/school.ts'

describe('an export that is imported again', () => {
  it('changes nothing, for students of every kind', async () =>
    exportsComeBackUnchanged(await openSchool(), { runs: 15, students: 45 }))

  it('and that a spreadsheet has damaged changes nothing that is not asked or shown', async () =>
    survivesDamage(await openSchool(), { runs: 20, students: 35 }))
})
