import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { openContext } from '../browser-page.ts'
import { type Look, lookAs } from './scene.ts'

/** The pictures of one state. */
interface Pictures {
  take(page: Page): Promise<void>
}

/** Where pictures are left, if they are wanted: `npm run pictures` names the folder. */
const { PICTURES: folder, PICTURES_ALL: all } = process.env

interface Kind extends Look {
  readonly suffix: string
  readonly isNarrow?: boolean
}

/** Those that stand in the docs. */
const kept: readonly Kind[] = [
  { language: 'en', scheme: 'light', suffix: '' },
  { language: 'en', scheme: 'dark', suffix: '-dark' },
  { language: 'ar', scheme: 'light', suffix: '-ar' },
]

const others: readonly Kind[] = [
  { language: 'de', scheme: 'light', suffix: '-de' },
  { language: 'de', scheme: 'light', suffix: '-de-narrow', isNarrow: true },
  { language: 'ar', scheme: 'light', suffix: '-ar-narrow', isNarrow: true },
]

const narrow = { width: 320, height: 640 }

let encoder: Promise<Page> | undefined

/** Has Chromium write a picture as WebP, smaller than it is. */
async function webp(png: Buffer, scale: number): Promise<Buffer> {
  encoder ??= openContext().then((context) => context.newPage())
  const page = await encoder
  const text = await page.evaluate(
    async ({ png, scale }) => {
      // biome-ignore lint/suspicious/noExplicitAny: the types of the page are not those of Node
      const { createImageBitmap, OffscreenCanvas, fetch, FileReader } = globalThis as any
      const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob())
      const canvas = new OffscreenCanvas(bitmap.width * scale, bitmap.height * scale)
      const context = canvas.getContext('2d')
      context.imageSmoothingQuality = 'high'
      context.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
      const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.6 })
      return new Promise<string>((resolve) => {
        const reader = new FileReader()
        reader.onload = () => resolve(reader.result)
        reader.readAsDataURL(blob)
      })
    },
    { png: png.toString('base64'), scale },
  )
  return Buffer.from(text.split(',')[1]!, 'base64')
}

/** What differs in the dark and in Arabic is seen in a small picture. */
const scaleOf = ({ suffix }: Kind) => (suffix === '' ? 0.75 : 0.4)

export function takePictures(name: string): Pictures | undefined {
  if (folder === undefined) return undefined
  mkdirSync(folder, { recursive: true })
  const fullPage = all !== undefined
  return {
    async take(page) {
      for (const kind of fullPage ? [...kept, ...others] : kept) {
        if (kind.isNarrow) await page.setViewportSize(narrow)
        await lookAs(page, kind)
        const png = await page.screenshot({ animations: 'disabled', fullPage })
        const file = join(folder, `${name}${kind.suffix}`)
        if (fullPage) writeFileSync(`${file}.png`, png)
        else writeFileSync(`${file}.webp`, await webp(png, scaleOf(kind)))
      }
    },
  }
}
