// Runs once: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { chapters } from './console-screens/chapters.ts'
import { galleryOf, picturesFolder, picturesOf } from './console-screens/gallery.ts'

const docs = join(import.meta.dirname, '..', 'docs')
const folder = join(docs, picturesFolder)
const mostBytes = 4_700_000

describe('docs/console-pictures.md', () => {
  it('shows every state of the console that the tests go to: npm run pictures writes it', () => {
    assert.equal(readFileSync(join(docs, 'console-pictures.md'), 'utf8'), galleryOf(chapters))
  })

  it('has each of its pictures, and no other; they are small', () => {
    const files = readdirSync(folder)
    const named = chapters.flatMap(({ states }) => states.flatMap(picturesOf))
    assert.deepEqual(files.sort(), named.sort())
    const bytes = files.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0)
    assert.ok(bytes <= mostBytes, `${bytes} bytes`)
  })

  it('is walked whole by the tests that look at the console', () => {
    const walked = readdirSync(import.meta.dirname)
      .filter((file) => /^console-screens-.*\.long\.test\.ts$/.test(file))
      .flatMap((file) =>
        /of \[(.*)\]/.exec(readFileSync(join(import.meta.dirname, file), 'utf8'))![1]!.split(', '),
      )
    assert.equal(walked.length, chapters.length)
    assert.equal(new Set(walked).size, chapters.length)
  })
})
