import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { findings, needsChromium, ofColours, type Window } from '../browser-page.ts'
import { takePictures } from './pictures.ts'
import { lookAs, Visits } from './scene.ts'
import type { Chapter, State } from './state.ts'

/** 1 280 pixels at four times their size. */
const narrow = { width: 320, height: 640 }
const beyond = 'document.documentElement.scrollWidth - innerWidth'

/** Which states are looked at: those whose names hold this. */
const chosen = process.env.SCREENS ?? ''

/**
 * Goes to each state of a chapter: axe finds nothing in light, dark and right to left, no policy is broken, and
 * nothing is wider than a narrow page. Where pictures are wanted, they are taken, and nothing else is looked at.
 */
export function lookAt({ title, states }: Chapter): void {
  describe(`the console, ${title.toLowerCase()}`, needsChromium, () => {
    const visits = new Visits()
    after(() => visits.close())
    for (const state of states.filter(({ name }) => name.includes(chosen)))
      it(`is accessible in every look: ${state.name}`, async () => {
        const { window, page, close } = await visits.enter(state)
        try {
          const pictures = takePictures(state.name)
          if (pictures) await pictures.take(page)
          else await assertAccessible(window, state)
          assert.deepEqual(window.faults, [], state.name)
        } finally {
          await close()
        }
      })
  })
}

async function assertAccessible(window: Window, { name, covered }: State): Promise<void> {
  const { page } = window
  for (const language of ['en', 'ar'] as const) {
    await lookAs(page, { language, scheme: 'light' })
    assert.deepEqual(await findings(window, { exclude: covered }), [], `${name}, ${language}`)
  }
  await lookAs(page, { language: 'ar', scheme: 'dark' })
  assert.deepEqual(await findings(window, ofColours), [], `${name}, dark`)
  await page.setViewportSize(narrow)
  for (const language of ['ar', 'de', 'en'] as const) {
    await lookAs(page, { language, scheme: 'light' })
    assert.equal(await page.evaluate(beyond), 0, `${name} is too wide, ${language}`)
  }
}
