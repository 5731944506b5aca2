import type { Chapter, State } from './state.ts'

/** The folder of the pictures, beside the page that shows them. */
export const picturesFolder = 'console'

const kinds = { light: '', dark: '-dark', Arabic: '-ar' }

/** The names of a state's pictures: in light, in the dark, and in Arabic. */
export const picturesOf = ({ name }: State): string[] =>
  Object.values(kinds).map((suffix) => `${name}${suffix}.webp`)

const intro = `# The console in pictures

Every screen in every state, in light, dark and Arabic. [console.md](console.md) says what one does there.
\`npm run pictures\` takes them anew, from the states in \`test/console-screens/\`. A test goes to each of these states: axe finds nothing there in any of these looks, and nothing is wider than a page of 320 pixels.
`

/** The page of docs that shows the pictures. */
export function galleryOf(chapters: readonly Chapter[]): string {
  return `${intro}${chapters.map(chapterText).join('')}`
}

function chapterText({ title, states }: Chapter): string {
  const heads = Object.keys(kinds)
  const row = (state: State) => {
    const cells = picturesOf(state).map(
      (file, i) => `![${state.shows}, ${heads[i]}](${picturesFolder}/${file})`,
    )
    return `| ${state.shows} | ${cells.join(' | ')} |\n`
  }
  return `\n## ${title}\n\n| | ${heads.join(' | ')} |\n|---|${heads.map(() => '---').join('|')}|\n${states.map(row).join('')}`
}
