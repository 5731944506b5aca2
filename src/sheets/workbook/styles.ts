import { limits } from '../limits.ts'
import { tooLarge } from '../refusal.ts'
import { type NumberFormat, numberFormat } from './number-formats.ts'
import { readXml } from './xml.ts'

/** The number formats of cells, by the number of their style (CT_Stylesheet). */
export async function formatsOf(part: AsyncIterable<Uint8Array>): Promise<NumberFormat[]> {
  const codes = new Map<number, string>()
  const ids: number[] = []
  let list = ''
  await readXml(part, {
    open(name, attributes) {
      const id = Number(attributes.numFmtId ?? 0)
      if (name === 'numFmts' || name === 'cellXfs') list = name
      // The looks of tables (dxfs) have formats too, by numbers that are not these.
      if (name === 'numFmt' && list === 'numFmts') codes.set(id, attributes.formatCode ?? '')
      if (name === 'xf' && list === 'cellXfs') ids.push(id)
      if (Math.max(codes.size, ids.length) > limits.styles) throw tooLarge()
    },
    close(name) {
      if (name === list) list = ''
    },
  })
  const formats = new Map([...new Set(ids)].map((id) => [id, numberFormat(id, codes.get(id))]))
  return ids.map((id) => formats.get(id)!)
}
