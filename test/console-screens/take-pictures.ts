import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chapters } from './chapters.ts'
import { galleryOf, picturesFolder } from './gallery.ts'

/*
 * npm run pictures: goes to every state of the console, as the test does, and takes its pictures for the docs.
 * SCREENS=student takes those alone whose names hold that. PICTURES_ALL=1 takes all looks, the narrow and the German
 * ones too, as large PNG files; PICTURES=FOLDER leaves them there.
 */

const projectFolder = join(import.meta.dirname, '..', '..')
const docs = join(projectFolder, 'docs')
const folder = process.env.PICTURES ?? join(docs, picturesFolder)
const isForDocs = process.env.PICTURES === undefined
if (isForDocs && process.env.SCREENS === undefined) rmSync(folder, { recursive: true, force: true })
const { status } = spawnSync(
  process.execPath,
  ['registrar.js', '--node', 'test/run.ts', '--long', 'test/console-screens*.long.test.ts'],
  { cwd: projectFolder, stdio: 'inherit', env: { ...process.env, PICTURES: folder, DATABASES: 'sqlite' } },
)
if (isForDocs) writeFileSync(join(docs, 'console-pictures.md'), galleryOf(chapters))
process.exitCode = status ?? 1
