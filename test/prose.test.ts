// Runs once: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, it } from 'node:test'
import { projectFolder } from './server.ts'

const read = (path: string) => readFileSync(join(projectFolder, path), 'utf8')

/** Not held to it: performance.md, which the benchmark writes into, and what CHANGELOG.md says of earlier versions. */
const plain = globSync(['*.md', '{docs,deploy,client}/**/*.md'], { cwd: projectFolder })
  .filter((path) => !/performance|node_modules/.test(path))
  .map((path) => ({ path, text: path === 'CHANGELOG.md' ? unreleased(read(path)) : read(path) }))

function unreleased(changelog: string): string {
  return changelog.split(/^## /m)[1] ?? ''
}

/** The sentences of a page without its blocks of code; a heading, a list item and a cell of a table each begin one. */
function sentencesOf(page: string): string[] {
  return page
    .replaceAll(/^ *```.*?^ *```$/gms, '\n')
    .replaceAll(/`[^`]+`/g, (code) => code.replaceAll(/\s/g, '_'))
    .replaceAll(/^#+ .*$/gm, '\n$&\n')
    .replaceAll(/^ *\|.*$/gm, (row) => row.replaceAll('|', '\n\n'))
    .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )/)
    .flatMap((paragraph) => paragraph.split(/(?<=[.!?][)"*_]*)\s+/))
    .map((sentence) => sentence.trim())
}

const wordsOf = (sentence: string) => sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word))

describe('the documents', () => {
  it('have no sentence over thirty words', () => {
    assert.ok(plain.length > 70)
    const long = plain.flatMap(({ path, text }) =>
      sentencesOf(text)
        .filter((sentence) => wordsOf(sentence).length > 30)
        .map((sentence) => `${path}: ${wordsOf(sentence).length} words: ${sentence}`),
    )
    assert.deepEqual(long, [])
  })

  it('begin with a README of fewer than 120 lines', () => {
    const lines = read('README.md').split('\n').length - 1
    assert.ok(lines < 120, `it has ${lines}`)
  })

  it('list every decision by its title, in order', () => {
    const files = globSync('docs/decisions/0*.md', { cwd: projectFolder }).sort()
    const titles = files.map((path) => [
      path.replace('docs/decisions/', ''),
      /^# \d{4} (.*)/.exec(read(path))?.[1],
    ])
    const rows = [
      ...read('docs/decisions/README.md').matchAll(/^\| \[\d{4}\]\((.*?)\) \| (.*?)(?: \(.*\))? \|$/gm),
    ]
    assert.deepEqual(
      rows.map(([, file, title]) => [file, title]),
      titles,
    )
  })

  it('link only to files and sections that are there', () => {
    const all = globSync(['*.md', '{docs,bench,deploy}/**/*.md', 'test/released/*.md'], {
      cwd: projectFolder,
    })
    assert.ok(all.length > 40)
    for (const path of all) {
      for (const [, target] of read(path).matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^https?:/.test(target!)) continue
        const [file, section] = target!.split('#')
        const to = file === '' ? path : relative(projectFolder, join(projectFolder, dirname(path), file!))
        assert.ok(existsSync(join(projectFolder, to)), `${path} links to ${target}`)
        if (section !== undefined) assert.ok(sectionsOf(to).includes(section), `${path} links to ${target}`)
      }
    }
  })
})

/** The sections of a page, as links name them. */
function sectionsOf(path: string): string[] {
  return [...read(path).matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  )
}
