/** A plot of lines with both axes in powers of ten. */
export interface Chart {
  readonly title: string
  readonly xTitle: string
  readonly yTitle: string
  /** The values that the axes reach over; each x has a tick of its own. */
  readonly x: readonly number[]
  readonly y: readonly number[]
  readonly lines: readonly Line[]
}

export interface Line {
  readonly title: string
  readonly points: readonly { readonly x: number; readonly y: number | null }[]
}

const width = 880
const height = 440
/** Where the lines are drawn; the legend stands to the right. */
const plot = { left: 110, right: 620, top: 52, bottom: 380 }
const legend = { left: 650, top: 74, lineHeight: 30 }

/** Told apart by shape too; each legible on a light and on a dark ground. */
const styles = [
  { colour: '#2f81f7', mark: (x: number, y: number) => `<circle cx="${x}" cy="${y}" r="4.5"/>` },
  { colour: '#1a9c5b', mark: (x: number, y: number) => polygon(x, y, [-4, -4, 4, -4, 4, 4, -4, 4]) },
  { colour: '#b8741a', mark: (x: number, y: number) => polygon(x, y, [0, -6, 6, 4.5, -6, 4.5]) },
  { colour: '#a05cd6', mark: (x: number, y: number) => polygon(x, y, [0, -6, 6, 0, 0, 6, -6, 0]) },
  { colour: '#128a9a', mark: (x: number, y: number) => polygon(x, y, [-6, -4.5, 6, -4.5, 0, 6]) },
  { colour: '#d1434b', mark: (x: number, y: number) => polygon(x, y, [-2, -6, 2, -6, 2, 6, -2, 6]) },
]

/** Draws a chart as SVG: the same text for the same figures. */
export function drawChart({ title, xTitle, yTitle, x, y, lines }: Chart): string {
  const [xLow, xHigh] = [Math.min(...x), Math.max(...x)]
  const powers = powersOver(y)
  const xAt = logScale(xLow, xHigh, plot.left + 24, plot.right - 24)
  const yAt = logScale(powers[0]!, powers.at(-1)!, plot.bottom, plot.top)
  const middle = (plot.left + plot.right) / 2
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">`,
    `<style>${css}</style>`,
    `<rect class="ground" width="${width}" height="${height}" rx="8"/>`,
    text(plot.left, 28, title, 'title'),
    ...powers.map((power) => gridLine(plot.left, yAt(power), plot.right, yAt(power))),
    ...powers.map((power) => text(plot.left - 10, yAt(power) + 4, grouped(power), 'end')),
    ...[...new Set(x)].map((size) => gridLine(xAt(size), plot.top, xAt(size), plot.bottom)),
    ...[...new Set(x)].map((size) => text(xAt(size), plot.bottom + 22, grouped(size), 'middle')),
    text(middle, plot.bottom + 46, xTitle, 'middle'),
    `<g transform="translate(18 ${(plot.top + plot.bottom) / 2}) rotate(-90)">${text(0, 0, yTitle, 'middle')}</g>`,
    ...lines.map((line, i) => drawLine(line, i, xAt, yAt)),
    ...lines.map((line, i) => drawLegend(line, i)),
    '</svg>\n',
  ].join('\n')
}

const css = [
  'text{font-family:system-ui,sans-serif;font-size:14px}.title{font-weight:600;font-size:16px}',
  '.ground{fill:#fff}text{fill:#24292f}.grid{stroke:#d8dee4}',
  '@media (prefers-color-scheme:dark){.ground{fill:#161b22}text{fill:#e6edf3}.grid{stroke:#3d444d}}',
  '.end{text-anchor:end}.middle{text-anchor:middle}',
  'polyline{fill:none;stroke-width:2;stroke-linejoin:round}',
].join('')

type Scale = (value: number) => number

function logScale(low: number, high: number, from: number, to: number): Scale {
  const span = Math.log10(high) - Math.log10(low) || 1
  return (value) => rounded(from + ((Math.log10(value) - Math.log10(low)) / span) * (to - from))
}

/** The powers of ten from just below all values to just above. */
function powersOver(values: readonly number[]): number[] {
  if (values.length === 0) return [1, 10]
  const first = Math.floor(Math.log10(Math.min(...values)))
  const last = Math.max(first + 1, Math.ceil(Math.log10(Math.max(...values))))
  return Array.from({ length: last - first + 1 }, (_, i) => 10 ** (first + i))
}

function drawLine({ points }: Line, index: number, xAt: Scale, yAt: Scale): string {
  const { colour, mark } = styles[index % styles.length]!
  const placed = points.flatMap(({ x, y }) => (y === null ? [] : [[xAt(x), yAt(y)] as const]))
  const path = placed.map((point) => point.join(',')).join(' ')
  const marks = placed.map(([x, y]) => mark(x, y)).join('')
  return `<polyline points="${path}" stroke="${colour}"/><g fill="${colour}">${marks}</g>`
}

function drawLegend({ title }: Line, index: number): string {
  const { colour, mark } = styles[index % styles.length]!
  const y = legend.top + index * legend.lineHeight
  const line = `<polyline points="${legend.left},${y} ${legend.left + 28},${y}" stroke="${colour}"/>`
  const label = text(legend.left + 38, y + 5, title, 'start')
  return `${line}<g fill="${colour}">${mark(legend.left + 14, y)}</g>${label}`
}

function gridLine(x1: number, y1: number, x2: number, y2: number): string {
  return `<line class="grid" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}"/>`
}

function text(x: number, y: number, content: string, style: string): string {
  return `<text x="${x}" y="${y}" class="${style}">${content}</text>`
}

function polygon(x: number, y: number, offsets: readonly number[]): string {
  const points: string[] = []
  for (let i = 0; i < offsets.length; i += 2)
    points.push(`${rounded(x + offsets[i]!)},${rounded(y + offsets[i + 1]!)}`)
  return `<polygon points="${points.join(' ')}"/>`
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10
}

function grouped(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ' ')
}
