// Runs once: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { rulesOf, surveyOf } from '../../../test/reading-rules.ts'

describe('a file of more people than students', () => {
  const warned = (heading: string, ...roles: string[]) => {
    const rows = roles.map((role, i) => [`Kid ${i}`, role])
    const warnings = surveyOf(rulesOf(['Name', heading]), rows).warnings()
    return warnings.filter(({ code }) => code === 'other_roles').map(({ params }) => params)
  }

  it('is warned of where a column tells it, as in OneRoster', () => {
    assert.deepEqual(warned('role', 'student', 'teacher', 'Student', 'parent', ''), [
      { heading: 'role', rows: 2 },
    ])
    assert.deepEqual(warned('Rolle', 'Schüler/in', 'Lehrkraft'), [{ heading: 'Rolle', rows: 1 }])
    assert.deepEqual(warned('الدور', 'طالب', 'معلم'), [{ heading: 'الدور', rows: 1 }])
    assert.deepEqual(warned('Role', 'student', 'pupil'), [])
    assert.deepEqual(warned('Role', 'Captain', 'Prefect'), []) // of students
    assert.deepEqual(warned('House', 'student', 'teacher'), [])
  })
})
