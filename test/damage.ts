/* What a spreadsheet does to a file of texts that it opens and saves. */

/** How a spreadsheet writes days: by where it is. */
export const dateForms = ['d.m.yyyy', 'dd/mm/yyyy', 'm/d/yyyy', 'm/d/yy'] as const
export type DateForm = (typeof dateForms)[number]

/** Which comes first in such days. */
export function orderIn(form: DateForm): 'day_first' | 'month_first' {
  return form.startsWith('m') ? 'month_first' : 'day_first'
}

function localDay(day: string, form: DateForm): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  const two = (number: number) => String(number).padStart(2, '0')
  return {
    'd.m.yyyy': `${date}.${month}.${year}`,
    'dd/mm/yyyy': `${two(date)}/${two(month)}/${year}`,
    'm/d/yyyy': `${month}/${date}/${year}`,
    'm/d/yy': `${month}/${date}/${two(year % 100)}`,
  }[form]
}

/** A cell as it is saved: what looks like a number or a day is one from then on. */
export function damaged(cell: string, form: DateForm): string {
  if (/^\d{4}-\d\d-\d\d$/.test(cell)) return localDay(cell, form)
  if (/^[+-]?\d+$/.test(cell)) return digits(Number(cell))
  if (/^[+-]?\d+(\.\d+)?e[+-]?\d+$/i.test(cell)) return digits(Number(cell))
  if (/^(true|false)$/i.test(cell)) return cell.toUpperCase()
  const [, month, day] = /^(\d\d?)[-/](\d\d?)$/.exec(cell) ?? []
  if (month !== undefined && Number(month) <= 12 && Number(day) <= 31)
    return `${day}-${months[Number(month) - 1]}`
  return cell
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Of long numbers, what a narrow column shows. */
function digits(number: number): string {
  if (!Number.isFinite(number)) return '#NUM!'
  return Math.abs(number) < 1e11 ? String(number) : number.toExponential(5).replace('e', 'E')
}
