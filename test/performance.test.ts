// Runs once: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { documentFiles, type Figures } from '../bench/document.ts'
import { judge } from '../bench/goals.ts'
import { generatePeople } from '../bench/people.ts'
import { projectFolder } from './server.ts'

const docs = join(projectFolder, 'docs')
const read = (name: string) => readFileSync(join(docs, name), 'utf8')

describe('docs/performance.md', () => {
  const figures: Figures = JSON.parse(read('performance.json'))
  const made = documentFiles(figures, read('performance.md'))

  it('shows what docs/performance.json holds, in tables and plots: npm run bench -- --report writes them', () => {
    for (const [name, text] of Object.entries(made)) assert.equal(read(name), text, name)
    const committed = readdirSync(docs).filter((name) => name.startsWith('performance'))
    assert.deepEqual(committed.sort(), Object.keys(made).sort())
  })

  it('changes with the figures', () => {
    const twice = (_key: string, value: unknown) => (typeof value === 'number' ? value * 2 : value)
    const others: Figures = JSON.parse(JSON.stringify(figures), twice)
    for (const [name, text] of Object.entries(documentFiles(others, read('performance.md'))))
      assert.notEqual(text, made[name], name)
  })

  it('names the production dependencies of package.json, in their versions', () => {
    const { dependencies } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8'))
    const needed = figures.packages.direct.filter(({ isOptional }) => !isOptional)
    assert.deepEqual(Object.fromEntries(needed.map(({ name, version }) => [name, version])), dependencies)
  })
})

describe('a goal', () => {
  it('is met at its limit, and missed just beyond', () => {
    assert.equal(judge({ figure: 'ofBare', limit: 0.4 }, 0.4, 1000), 'met')
    assert.equal(judge({ figure: 'ofBare', limit: 0.4 }, 0.399, 1000), 'missed')
    assert.equal(judge({ figure: 'p50', limit: 15, students: 1_000_000 }, 15, 1_000_000), 'met')
    assert.equal(judge({ figure: 'p50', limit: 15, students: 1_000_000 }, 15.1, 1_000_000), 'missed')
  })

  it('for a larger size is not said to be met at a smaller one', () => {
    assert.equal(judge({ figure: 'p50', limit: 15, students: 1_000_000 }, 1, 1000), 'met at this size')
  })
})

describe('the people of the benchmark', () => {
  it('are the same ones each time, with admission numbers that begin alike and differ', () => {
    const [one, other] = [generatePeople(1), generatePeople(1)]
    const people = Array.from({ length: 1000 }, () => one.next().value)
    assert.deepEqual(
      people,
      Array.from({ length: 1000 }, () => other.next().value),
    )
    const numbers = new Set(people.map(({ admissionNumber }) => admissionNumber))
    assert.equal(numbers.size, 1000)
    for (const number of numbers) assert.match(number, /^gs-20\d\d-\d{6}$/)
  })
})
