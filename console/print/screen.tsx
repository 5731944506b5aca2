import { address } from '../frame/address.ts'
import style from '../look/sheet.css' with { type: 'text' }
import { adopt } from '../parts/style.ts'
import { ListPrint } from './list-print.tsx'
import { RecordPrint } from './record-print.tsx'

adopt(style)

/** What the address asks to print: students of a view, or one student. */
export function Screen() {
  const id = Number(address.value.query.get('student'))
  return Number.isSafeInteger(id) && id > 0 ? <RecordPrint key={id} id={id} /> : <ListPrint />
}
